/** Attacks on the audit record: somebody changes it afterwards. Rows A23, A47 and A48 of `docs/threats.md`. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listAuditFiles } from '#audit/auditFiles.ts';
import { until } from '../host/until.ts';
import { answerOf, connectAttacker, put, type Attack, type Target, type Tries } from './target.ts';

const auditFolder = ({ drawbridge }: Target): string => join(drawbridge.host.home, 'audit');
const auditNames = async (target: Target): Promise<readonly string[]> =>
  (await listAuditFiles(auditFolder(target))).map(({ path }) => basename(path));

/** Runs Verify Audit as the user does, and returns what the user is told. */
async function verified({ drawbridge: { window } }: Target): Promise<string> {
  await window.command('notifications.clearAll');
  let isDue = true;
  // The editor does not show each notification as a toast, but all of them are in its list.
  const list = window.page.locator('.notifications-center .notification-list-item');
  const result = list.filter({ hasText: /audit record (?:is|was|cannot)/i }).first();
  return until(async () => {
    // Another window, or this one, may hold the lock of the record for a moment; the user is asked to try again then.
    if (isDue) {
      isDue = false;
      window.command('drawbridge.verifyAudit').catch(() => (isDue = true));
    }
    await window.command('notifications.showList');
    return (await result.count()) === 0 ? undefined : await result.innerText();
  }, 'the result of Verify Audit');
}

/** Writes a run with some calls, and ends it by a reload. Returns the name of its file. */
async function endedRun(target: Target): Promise<string> {
  const before = new Set(await auditNames(target));
  await target.drawbridge.window.reload();
  const record = await target.drawbridge.record();
  put(target, { 'a.txt': 'one\n' });
  const assistant = await connectAttacker({ ...target, record });
  for (let call = 0; call < 5; call += 1) await answerOf(assistant, 'read_file', { path: 'a.txt' });
  await assistant.close();
  const name = (await auditNames(target)).find((each) => !before.has(each));
  if (name === undefined) throw new Error('The run has no record.');
  await target.drawbridge.window.reload();
  await target.drawbridge.record();
  return name;
}

/** Changes files of the record, looks whether Verify Audit says so, and puts all files back. */
async function tamper(target: Target, tries: Tries, what: string, change: (folder: string) => void): Promise<void> {
  const folder = auditFolder(target);
  const saved = join(target.outside, 'audit');
  mkdirSync(saved, { recursive: true });
  const names = await auditNames(target);
  for (const name of names) copyFileSync(join(folder, name), join(saved, name));
  change(folder);
  const said = await verified(target);
  tries.add(`${what}: ${said}`, said.includes('intact'));
  // The present run goes on meanwhile; only ended ones are put back.
  const ended = names.filter((name) => !existsSync(join(folder, name)) || isRewritten(folder, saved, name));
  for (const name of ended) copyFileSync(join(saved, name), join(folder, name));
  rmSync(saved, { recursive: true, force: true });
}

/** Returns whether a file no longer begins with the lines that it held before the change. */
function isRewritten(folder: string, saved: string, name: string): boolean {
  return !readFileSync(join(folder, name), 'utf8').startsWith(readFileSync(join(saved, name), 'utf8'));
}

/** Replaces the lines of a file. */
function rewrite(folder: string, name: string, change: (lines: readonly string[]) => readonly string[]): void {
  const path = join(folder, name);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  writeFileSync(path, `${change(lines).join('\n')}\n`);
}

const a23: Attack = {
  id: 'A23',
  name: 'changes lines of the record of a run that has ended',
  async run(target, tries) {
    const name = await endedRun(target);
    const changes: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
      'another path': (lines) => lines.map((line) => line.replaceAll('a.txt', 'b.txt')),
      'another outcome': (lines) => lines.map((line) => line.replace('"outcome":"ok"', '"outcome":"denied"')),
      'a line less': (lines) => lines.toSpliced(3, 1),
      'a line twice': (lines) => lines.toSpliced(3, 0, lines[3] ?? ''),
      'two lines in another order': (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? ''),
    };
    for (const [what, change] of Object.entries(changes)) {
      await tamper(target, tries, what, (folder) => rewrite(folder, name, change));
    }
  },
};

const a47: Attack = {
  id: 'A47',
  name: 'cuts the last lines of a run, or puts another run in its place',
  async run(target, tries) {
    const first = await endedRun(target);
    const second = await endedRun(target);
    await tamper(target, tries, 'the last line', (folder) => rewrite(folder, first, (lines) => lines.slice(0, -1)));
    await tamper(target, tries, 'the last five lines', (folder) =>
      rewrite(folder, second, (lines) => lines.slice(0, -5)),
    );
    await tamper(target, tries, 'another run', (folder) => copyFileSync(join(folder, second), join(folder, first)));
  },
};

const a48: Attack = {
  id: 'A48',
  name: 'removes the files of a whole run',
  control: [
    { file: 'src/audit/verifyRecord.ts', find: 'else missing.push(auditFile);', replace: 'else unconfirmed += 0;' },
  ],
  async run(target, tries) {
    const first = await endedRun(target);
    const second = await endedRun(target);
    await tamper(target, tries, 'the first run', (folder) => rmSync(join(folder, first)));
    await tamper(target, tries, 'the last run', (folder) => rmSync(join(folder, second)));
  },
};

export const recordAttacks: readonly Attack[] = [a23, a47, a48];
