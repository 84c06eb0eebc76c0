/** Files whose path holds a part, letters in either case; what a glob would take as syntax stands for itself. */
export function anyCaseGlob(part: string): string {
  const inner = Array.from(part.replace(/^\/+/, ''), (character) => {
    const lower = character.toLowerCase();
    const upper = character.toUpperCase();
    if (lower !== upper && lower.length === 1 && upper.length === 1) return `[${lower}${upper}]`;
    return /[()|+@$*?[{]/.test(character) ? `[${character}]` : character;
  }).join('');
  return `**/*${inner}*`;
}
