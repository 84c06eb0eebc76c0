/** The patches of opencode's tool `apply_patch`, in the form of Codex. opencode has its own reader of them, which this file follows. */
import type { ApprovedFile } from '#base/nativeEdit.ts';

/** Returns the paths that a patch names, as they stand in it. */
export function pathsInPatch(patch: string): readonly string[] {
  return patch.split('\n').flatMap((line) => {
    const path = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to):([^]*)$/.exec(line)?.[1]?.trim() ?? '';
    return path === '' ? [] : [path];
  });
}

/** Returns the patch by which opencode writes exactly the approved texts. No file is moved, and edited texts end with a line end. */
export function opencodePatch(files: readonly ApprovedFile[]): string {
  return ['*** Begin Patch', ...files.flatMap(sectionOf), '*** End Patch'].join('\n');
}

function sectionOf({ path, change, texts: { before, after } }: ApprovedFile): readonly string[] {
  if (change === 'delete') return [`*** Delete File: ${path}`];
  // opencode drops one line end at the end of the new lines, and adds one where there is none.
  if (change === 'create') return [`*** Add File: ${path}`, ...after.split('\n').map((line) => `+${line}`)];
  return [`*** Update File: ${path}`, '@@', ...hunkOf(linesOf(before), linesOf(after))];
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Returns one hunk for all that differs. opencode makes it where its old lines stand first. */
function hunkOf(before: readonly string[], after: readonly string[]): readonly string[] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  // opencode drops an empty line at the end of the new text, unless the hunk names it.
  const endsEmpty = after.at(-1) === '';
  if (endsEmpty) tail = 0;
  // Without old lines, the new ones would come at the end.
  const hasOldLines = head + tail < before.length;
  if (!hasOldLines && head === 0 && tail > 0) tail -= 1;
  let start = hasOldLines ? head : Math.max(0, head - 1);
  const end = before.length - tail;
  for (let step = 1; start > 0 && firstPlace(before, before.slice(start, end)) !== start; step *= 2) {
    start = Math.max(0, start - step);
  }
  return [
    ...before.slice(start, head).flatMap(contextOf),
    ...before.slice(head, end).map((line) => `-${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+${line}`),
    ...(endsEmpty ? ['+'] : []),
  ];
}

/** Returns a line that stays. When it reads `*** End Patch`, opencode would take it for the end of the patch, even after a blank. */
function contextOf(line: string): readonly string[] {
  return line.trim() === '*** End Patch' ? [`-${line}`, `+${line}`] : [` ${line}`];
}

/** Returns the 0-based line at which these lines stand first. */
function firstPlace(lines: readonly string[], part: readonly string[]): number {
  return lines.findIndex((_line, at) => part.every((line, index) => lines[at + index] === line));
}
