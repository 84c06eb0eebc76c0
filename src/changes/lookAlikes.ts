/** Letters that look like ASCII letters, and what a name or a line with them looks like (threat row P22). */
import type { FileChange } from '#base/proposal.ts';

/**
 * Each word is an ASCII letter or digit with the letters that look like it: those single letters of the Basic Multilingual Plane, written
 * from left to right, that confusables.txt of UTS 39 (https://www.unicode.org/Public/security/13.0.0/confusables.txt) maps to it. Letters
 * that NFKC maps to ASCII, such as full-width ones, need no table.
 */
const table =
  '2ƧϨᒿꙄꝚ 3ƷȜЗӠⳌꝪꞫ 4Ꮞ 5Ƽ 6бᏮⳒ 8Ȣȣ 9ⳊꝮ AΑАᎪᗅꓮ BΒВᏴᗷꓐꞴ CСᏟⲤꓚ DᎠᗞᗪꓓ EΕЕᎬⴹꓰ FϜᖴꓝꞘ GԌᏀᏳꓖ HΗНᎻᕼⲎꓧ JͿЈᎫᒍꓙꞲ KΚКᏦᛕⲔꓗ LᏞᒪⳐꓡ ' +
  'MΜϺМᎷᗰᛖⲘꓟ NΝⲚꓠ OΟОՕଠዐⲞⵔꓳ PΡРᏢᑭⲢꓑ Qⵕ RƦᎡᏒᖇꓣ SЅՏᏕᏚꓢ TΤТᎢⲦꓔ UՍሀᑌꓴ VѴᏙᐯⴸꓦꛟ WԜᎳᏔꓪ XΧХᚷⲬⵝꓫꞳ YΥУҮᎩᎽⲨꓬ ZΖᏃꓜ aɑαа ' +
  'bƄЬᏏᑲᖯ cсᴄⲥꮯ dԁᏧᑯꓒ eеҽꬲ fքẝꞙꬵ gƍɡցᶃ hһհᏂ iıɩɪιіӏᎥꙇꭵ jϳј lƖǀΙІӀᛁⲒⵏꓲ nոռ oοσоօഠဝჿᴏᴑⲟꬽ pρрⲣ qԛգզ rгᴦⲅꭇꭈꮁ sƽѕꜱꮪ ' +
  'uʋυսᴜꞟꭎꭒ vνѵᴠꮩ wɯѡԝաᴡꮃ xхᕁᕽ yɣʏγуүყᶌỿꭚ zᴢꮓ';

const asciiOf: ReadonlyMap<string, string> = new Map(
  table.split(' ').flatMap(([ascii = '', ...letters]) => letters.map((letter) => [letter, ascii] as const)),
);

/** ASCII characters that UTS 39 maps to others that look the same. */
const asciiAlike: ReadonlyMap<string, string> = new Map([
  ['0', 'O'],
  ['1', 'l'],
  ['I', 'l'],
  ['|', 'l'],
  ['m', 'rn'],
]);

/** Returns the form that names which look the same have in common: the skeleton of UTS 39, for what looks like ASCII. */
export function skeleton(name: string): string {
  const shown = Array.from(name.normalize('NFKC'), (character) => asciiOf.get(character) ?? character);
  return shown.map((character) => asciiAlike.get(character) ?? character).join('');
}

/** A word that looks like another one. The ranges are in UTF-16 units of its line, the end excluded. */
export interface AlikeWord {
  readonly start: number;
  readonly end: number;
  /** The letters that look like ASCII ones. */
  readonly letters: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Returns the words of a line that have letters which look like ASCII letters, among ASCII letters or alone. A word of such letters alone
 * is left out beside another word of the same script, since it then belongs to a text in that script.
 */
export function alikeWords(line: string): AlikeWord[] {
  if (isAscii(line)) return [];
  const words = Array.from(line.matchAll(/[\p{L}\p{M}\p{N}_]+/gu), ({ 0: text, index }) => wordOf(text, index));
  return words.filter(({ letters, isWhole, isMixed, script }, at) => {
    if (letters.length === 0) return false;
    if (isMixed || !isWhole) return isMixed;
    const beside = [words[at - 1], words[at + 1]].filter((other) => other !== undefined);
    return !beside.some(
      (other) => other.script === script && !other.isMixed && !other.isWhole && areNear(line, words[at], other),
    );
  });
}

interface Word extends AlikeWord {
  /** It has ASCII letters too. */
  readonly isMixed: boolean;
  /** Every letter of it looks like an ASCII letter. */
  readonly isWhole: boolean;
  /** The script of its first letter that is not ASCII. */
  readonly script: string | undefined;
}

function wordOf(text: string, start: number): Word {
  const letters: AlikeWord['letters'][number][] = [];
  let [at, others] = [start, 0];
  for (const character of text) {
    const isAlike = looksLikeAscii(character);
    if (isAlike) letters.push({ start: at, end: at + character.length });
    else if (/[^\0-\x7f\p{N}]/u.test(character)) others += 1;
    at += character.length;
  }
  const isMixed = /[A-Za-z]/.test(text);
  return { start, end: at, letters, isMixed, isWhole: others === 0 && letters.length > 0, script: scriptOf(text) };
}

/** Returns whether a letter of another script looks like an ASCII letter or digit. */
function looksLikeAscii(character: string): boolean {
  if (asciiOf.has(character)) return !/\p{Script=Latin}/u.test(character);
  // Ordinal signs such as º are letters of neither case.
  return (
    /[^\0-\x7f]/.test(character) && /[\p{Lu}\p{Ll}]/u.test(character) && /^[A-Za-z]$/.test(character.normalize('NFKC'))
  );
}

const scripts = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Latin'] as const;

function scriptOf(text: string): string | undefined {
  const first = Array.from(text).find((character) => /[^\0-\x7f]/.test(character) && /\p{L}/u.test(character));
  return first && scripts.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(first));
}

/** Returns whether only what stands between two words of a sentence is between these. */
function areNear(line: string, one: AlikeWord | undefined, other: AlikeWord): boolean {
  if (one === undefined) return false;
  const between = one.start < other.start ? line.slice(one.end, other.start) : line.slice(other.end, one.start);
  return /^[ ,.:;–—-]{1,4}$/.test(between);
}

/**
 * Returns for each file of a proposal the name beside its path that looks the same: of the folder, or of another file of the proposal.
 * A folder above is only looked at when its name has other letters than ASCII ones.
 * @param namesIn returns the names in a folder, given as an absolute path
 */
export function sameLooks(
  files: readonly FileChange[],
  namesIn: (folder: string) => readonly string[],
): readonly (string | undefined)[] {
  const targets = Map.groupBy(files.map(targetOf), folderOf);
  const known = new Map<string, Map<string, string[]>>();
  /** The names in a folder by how they look. */
  const looksIn = (folder: string): Map<string, string[]> => {
    const looks =
      known.get(folder) ?? Map.groupBy([...namesIn(folder), ...(targets.get(folder) ?? []).map(nameOf)], skeleton);
    known.set(folder, looks);
    return looks;
  };
  return files.map((change) => {
    if (change.kind === 'delete') return undefined;
    const target = targetOf(change);
    const root = (change.kind === 'move' ? change.to : change.path).folder.realPath;
    for (let path = target; path.length > root.length; path = folderOf(path)) {
      const name = nameOf(path);
      if (path !== target && isAscii(name)) continue;
      const isItself = (other: string): boolean =>
        other.normalize('NFC') === name.normalize('NFC') ||
        (change.kind === 'move' && path.slice(0, path.length - name.length) + other === change.path.realPath);
      const found = looksIn(folderOf(path))
        .get(skeleton(name))
        ?.find((other) => !isItself(other));
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

function targetOf(change: FileChange): string {
  return change.kind === 'move' ? change.to.realPath : change.path.realPath;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.length - nameOf(path).length - 1));
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
