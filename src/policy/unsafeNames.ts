/** Invisible characters (threat row A5): control, format (bidi, zero-width, tags), line separators, lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const everyInvisible = new RegExp(invisible, 'gu');

/** Windows 8.3 names, which are a second spelling of another name that the policy did not check. */
const shortName = /^(?=[^.]{1,8}(?:\.|$))[^.\s]+~\d+(?:\.[^.\s]{1,3})?$/;
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;
const deviceWithExtension = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*\./i;

/**
 * Finds a name that means something else on some system than it shows (threat row P7). The check runs on every system, since
 * work trees are shared; only names such as `aux.c`, which are common outside Windows, are unsafe on Windows only.
 * @returns the end of a sentence that says why, or undefined for a safe path.
 */
export function unsafeReason(relative: string, windows: boolean): string | undefined {
  for (const segment of relative.split(/[/\\]/)) {
    const why = segmentReason(segment, windows);
    if (why !== undefined) return why;
  }
  return undefined;
}

function segmentReason(segment: string, windows: boolean): string | undefined {
  if (invisible.test(segment)) return 'contains a control or invisible character';
  if (segment.includes(':')) return 'contains a colon, which addresses a hidden stream on Windows';
  // Normalisation has removed `.` and `..` between slashes.
  if (segment === '..' || segment === '.') return 'contains a backslash next to dots; write / between names';
  if (/[. ]$/.test(segment)) return 'has a name that ends in a dot or a space, which Windows drops';
  if (device.test(segment) || (windows && deviceWithExtension.test(segment))) return 'holds the name of a device';
  if (shortName.test(segment)) return 'holds what looks like a short (8.3) name';
  return undefined;
}

/** Returns text of a caller for a message: shortened, in quotation marks, with invisible characters as `<U+200B>`. */
export function quoted(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return `"${visible(cut)}"`;
}

/** Returns a text with its invisible characters as `<U+200B>`. */
export function visible(text: string): string {
  return text.replace(everyInvisible, (character) => `<U+${codePoint(character)}>`);
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
