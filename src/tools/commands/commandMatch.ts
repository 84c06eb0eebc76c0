import type { EditorCommand } from '#call/ports/commands.ts';
import { commandTitle } from './editorCommand.ts';

/**
 * How well a command fits what somebody typed, as the command palette takes it: every word has to be in the title or the id,
 * or its letters in order. 0 is best; undefined does not fit.
 */
export function commandRank(command: EditorCommand, query: string): number | undefined {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const title = commandTitle(command).toLowerCase();
  const id = command.id.toLowerCase();
  if (id === words.join(' ')) return 0;
  const ranks = words.map((word) => wordRank(word, title, id));
  let worst = 0;
  for (const rank of ranks) {
    if (rank === undefined) return undefined;
    worst = Math.max(worst, rank);
  }
  return worst;
}

function wordRank(word: string, title: string, id: string): number | undefined {
  if (beginsWord(title, word)) return 1;
  if (title.includes(word)) return 2;
  if (id.includes(word)) return 3;
  return hasInOrder(title, word) || hasInOrder(id, word) ? 4 : undefined;
}

function beginsWord(text: string, word: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(word));
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at >= letters.length;
}
