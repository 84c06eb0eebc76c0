import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { withKinds } from '#call/toolKinds.ts';
import { WindowPolicy } from '#policy/editor/policy.ts';
import type { Mode } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';
import { FakeAuditLog } from '../../fakes/auditLog.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

/** The policy of a window with one real folder, over a state folder of its own. */
export function openWindowPolicy() {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-policy-')));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = folderAt(join(parent, 'shop'));
  const paths = {
    rules: join(parent, 'home', 'rules.json'),
    repository: join(folder.fsPath, '.drawbridge', 'policy.json'),
    managed: join(parent, 'managed', 'policy.json'),
  };
  for (const path of Object.values(paths)) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const [clock, auditLog, workspace] = [new FakeClock(), new FakeAuditLog(), new FakeWorkspace([folder])];
  const ended: Mode[] = [];
  const errors: unknown[] = [];
  const open = (): WindowPolicy => {
    const policy = new WindowPolicy({
      home: dirname(paths.rules),
      managedPath: paths.managed,
      clock,
      auditLog,
      workspace,
      tools: () => withKinds(tools).map(({ name }) => name),
      onModeEnd: (mode) => void ended.push(mode),
      onError: (error) => void errors.push(error),
    });
    onTestFinished(() => policy.dispose());
    return policy;
  };
  return {
    open,
    /** Writes a rules file as a user would. */
    write: (which: keyof typeof paths, rules: readonly object[], more: object = {}): void =>
      writeFileSync(paths[which], JSON.stringify({ version: 1, rules, ...more }), { mode: 0o600 }),
    /** Writes text that is not a valid rules file. */
    destroy: (which: keyof typeof paths): void => writeFileSync(paths[which], '{', { mode: 0o600 }),
    paths,
    folder,
    clock,
    auditLog,
    workspace,
    situation: (policy: WindowPolicy) => ({
      policy,
      workspace,
      pathRules: { home: join(parent, 'me'), privateFolders: [dirname(paths.rules)] },
    }),
  };
}

/** What has been written is looked at once in each turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
