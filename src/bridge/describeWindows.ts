import type { WindowRecord } from '#home/windows.ts';
import type { Situation } from './answers.ts';
import { printable } from './chooseWindow.ts';

const maximumWindows = 8;
const maximumFolders = 4;

/** Says why no window is there and what the user can do, in a sentence each. */
export function describeWindows({ wanted, open, silent }: Situation): { message: string; hint: string } {
  if (silent !== undefined) {
    return {
      message: `The editor window with ${describeFolders(silent)} does not answer.`,
      hint: 'Ask the user to reload or reopen that window, then call again; nothing has to be reconnected.',
    };
  }
  const windows = open.slice(0, maximumWindows).map(describeFolders);
  if (open.length > maximumWindows) windows.push(`${open.length - maximumWindows} more`);
  const others = windows.length === 0 ? 'no window with Drawbridge is open' : `open are: ${windows.join('; ')}`;
  return {
    message: `No editor window with Drawbridge has ${wanted} open (${others}).`,
    hint: 'Ask the user to open it in the editor, or to run the command "Drawbridge: Start" in the window that has it open, then call again; nothing has to be reconnected.',
  };
}

function describeFolders({ folders }: WindowRecord): string {
  if (folders.length === 0) return 'no folder';
  const paths = folders.slice(0, maximumFolders).map(({ path }) => printable(path));
  if (folders.length > maximumFolders) paths.push(`${folders.length - maximumFolders} more`);
  return paths.join(', ');
}
