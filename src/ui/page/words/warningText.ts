import { hiddenCharacters, plain } from '#base/visibleText.ts';
import type { Warning } from '#changes/warnings.ts';
import type { PageApproval, ShownApproval, UseFact } from '../messages.ts';
import { lineEndEscape } from './rowText.ts';
import type { Translate } from './translate.ts';

/** What a reader of a card might miss, in sentences; those about a file name it when there are several. */
export function warningTexts({ approval, drawing }: PageApproval, t: Translate): string[] {
  const { files } = approval;
  const ofFiles = files.flatMap(({ path, recovery }, index) => {
    const { warnings = [], syntax, uses } = drawing?.files[index] ?? {};
    const texts = warnings.map((warning) => warningText(warning, t));
    if (uses?.kind === 'imports' && uses.total > 0) texts.push(importersText(uses, t));
    if (syntax?.kind === 'errors') texts.push(syntaxText(syntax.lines, t));
    if (recovery === 'not_committed')
      texts.unshift(t('Not recoverable from git: its current content is not in any commit.'));
    return files.length > 1 ? texts.map((text) => `${plain(path)}: ${text}`) : texts;
  });
  return [...ofFiles, ...hiddenWordsWarning(approval, t)];
}

function importersText(uses: FoundUses, t: Translate): string {
  const files = usesText(uses, t);
  return uses.total === 1 ? t('1 file imports it: {0}', files) : t('{0} files import it: {1}', uses.total, files);
}

type FoundUses = Extract<UseFact, { kind: 'imports' | 'mentions' }>;

/** The files that are named on the card. */
const namedFiles = 5;

/** Returns the first of the files that use another one, with the number of the others. */
export function usesText({ paths, total, isPartial }: FoundUses, t: Translate): string {
  const named = paths.slice(0, namedFiles).map(plain).join(', ');
  const others = total - Math.min(total, namedFiles);
  const all = others > 0 ? t('{0} and {1} more', named, others) : named;
  return isPartial ? t('{0} (not all files were looked at)', all) : all;
}

function syntaxText(lines: readonly number[], t: Translate): string {
  const [first = 1, ...others] = lines;
  if (others.length === 0) return t('The proposed text has a syntax error in line {0}.', first);
  return lines.length > 5
    ? t('The proposed text has syntax errors in {0} lines, first in line {1}.', lines.length, first)
    : t('The proposed text has syntax errors in lines {0}.', lines.join(', '));
}

/** Of what the assistant gives as its reason. */
export function hiddenWordsWarning({ reason = '' }: Pick<ShownApproval, 'reason'>, t: Translate): string[] {
  const hidden = hiddenCharacters(reason.replaceAll(/\s+/g, ' '));
  if (hidden.length === 0) return [];
  return [t('The assistant’s words contain hidden characters: {0}', hidden.slice(0, 5).join(' '))];
}

/** Names hidden characters of an action or a question, as they are escaped, and says what they can do. */
export function hiddenTextWarning(hidden: readonly string[], t: Translate): string[] {
  return hidden.length === 0 ? [] : [hiddenText(hidden.slice(0, 5), t)];
}

function hiddenText(characters: readonly string[], t: Translate): string {
  const named = characters.join(' ');
  return t('Text contains hidden characters: {0}. With them, a text can do something else than it seems to.', named);
}

function warningText(warning: Warning, t: Translate): string {
  const { kind } = warning;
  if (kind === 'hidden_characters') {
    return hiddenText(warning.characters, t);
  }
  if (kind === 'long_blanks')
    return t('Text far behind blanks is easily overlooked: line {0}', warning.lines.join(', '));
  if (kind === 'long_lines') return t('Longer than 1,000 characters: line {0}', warning.lines.join(', '));
  if (kind === 'look_alikes') return t('Letters that look like others: {0}', warning.words.map(plain).join(', '));
  if (kind === 'same_look') return t('The path looks the same as {0} beside it.', plain(warning.name));
  if (kind === 'mixed_line_ends') {
    const [usual, other] = [lineEndEscape(warning.usual), lineEndEscape(warning.other)];
    return t('Most lines of this file end with {0}; the lines marked {1} do not.', usual, other);
  }
  if (kind === 'unified_line_ends') {
    return warning.lines === 1
      ? t('Saving will also change the line end of 1 other line.')
      : t('Saving will also change the line ends of {0} other lines.', warning.lines);
  }
  if (kind === 'possible_secret') return t('This change seems to add a secret: line {0}', warning.lines.join(', '));
  if (kind === 'deleted_secret')
    return t('This change deletes a secret that the assistant was not shown: {0}', warning.types.join(', '));
  if (kind === 'confusable_name') {
    return t('The path contains characters that look like others: {0}', warning.characters.join(' '));
  }
  if (kind === 'whitespace_only') return t('Only white space changes.');
  return t('Large change: {0} lines, {1} % of the file.', warning.changedLines, warning.percent);
}
