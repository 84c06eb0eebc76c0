import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ManagedPolicy, managedPolicyPath, readManagedSettings } from '#policy/editor/managedPolicy.ts';
import { FakeAuditLog } from '../../fakes/auditLog.ts';

let path: string;

beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), 'drawbridge-managed-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  path = join(parent, 'drawbridge', 'policy.json');
});

function write(content: unknown): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

const read = () => readManagedSettings(path, ['apply_edit']);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('returns the path of the policy file for each platform', () => {
  expect(managedPolicyPath('linux', {})).toBe('/etc/drawbridge/policy.json');
  expect(managedPolicyPath('darwin', {})).toBe('/Library/Application Support/Drawbridge/policy.json');
  expect(managedPolicyPath('win32', { ProgramData: 'D:/Data' })).toMatch(/^D:.Data.Drawbridge.policy\.json$/);
});

test('restricts nothing when there is no file', () => {
  expect(read()).toMatchObject({ rules: [], modesNotAllowed: [], audit: { required: false } });
});

test('reads deny and ask rules, forbidden modes and audit settings, and ignores allow rules', () => {
  write({
    version: 1,
    rules: [
      { id: 'no-deletes', effect: 'deny', class: 'delete' },
      { id: 'wide', effect: 'allow', class: 'edit' },
    ],
    modesNotAllowed: ['unattended'],
    audit: { required: true, retentionDays: 90 },
  });
  expect(read()).toEqual({
    rules: [{ scope: 'managed', rule: { id: 'no-deletes', effect: 'deny', class: 'delete' } }],
    modesNotAllowed: ['unattended'],
    audit: { required: true, retentionDays: 90 },
    ignored: 1,
  });
});

test('reads the policy through a link', () => {
  write({ version: 1, modesNotAllowed: ['acceptEdits'] });
  symlinkSync(path, `${path}.link`);
  expect(readManagedSettings(`${path}.link`, []).modesNotAllowed).toEqual(['acceptEdits']);
});

test.each([
  ['is no JSON', () => write('{')],
  ['has unknown keys', () => write({ version: 1, modes: ['manual'] })],
  ['is a folder', () => mkdirSync(path, { recursive: true })],
  [
    'cannot be read',
    () => {
      write({ version: 1 });
      chmodSync(path, 0);
    },
  ],
])('allows nothing but reads that ask when the file %s', (what, prepare) => {
  prepare();
  // The superuser can read every file.
  if (what === 'cannot be read' && process.getuid?.() === 0) return;
  const { problem, rules, ...rest } = read();
  expect(problem).toContain(`${path} cannot be used`);
  expect(rules.map(({ rule }) => rule.class)).toEqual(['edit', 'delete', 'execute', 'network', 'config', 'read']);
  expect(rest).toMatchObject({
    modesNotAllowed: ['manual', 'acceptEdits', 'unattended'],
    audit: { required: true },
  });
});

test('applies a change at once, fires an event and records it', async () => {
  const auditLog = new FakeAuditLog();
  const policy = new ManagedPolicy({ path, tools: () => [], auditLog });
  const listener = vi.fn<() => void>();
  policy.onDidChange(listener);
  expect(policy.settings.rules).toEqual([]);
  write({ version: 1, rules: [{ id: 'no-deletes', effect: 'deny', class: 'delete' }] });
  await nextTurn();
  expect(policy.settings.rules).toHaveLength(1);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(auditLog.events).toMatchObject([{ event: 'rule.change', scope: 'managed', ruleId: 'no-deletes' }]);
});
