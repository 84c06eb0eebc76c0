import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Principal } from '#base/principal.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { unreadableRulesId } from '#policy/editor/askingRules.ts';
import { RulesFile } from '#policy/editor/rulesFile.ts';
import { matchesRule } from '#policy/matching.ts';
import type { NewRule, RuleOrigin } from '#policy/rules.ts';
import { FakeAuditLog } from '../../fakes/auditLog.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';
import { temporaryState } from '../../home/temporaryState.ts';

const allowSource: NewRule = { effect: 'allow', class: 'edit', paths: ['src/cart.ts'] };
const day = 24 * 60 * 60 * 1000;
const claude: Principal = { credential: 'window', connectionId: 'claude' };
const codex: Principal = { credential: 'ci', connectionId: 'codex' };
const client = { name: 'claude-code', version: '1' };

let home: string;
let clock: FakeClock;

beforeEach(() => {
  home = temporaryState().home;
  clock = new FakeClock();
});

/** Opens the rules in a new window. */
function open(folders: readonly WorkspaceFolder[] = []) {
  const auditLog = new FakeAuditLog();
  const workspace = new FakeWorkspace(folders);
  const errors: unknown[] = [];
  const tools = (): string[] => ['apply_edit', 'delete_file', 'read_file'];
  const rules = new RulesFile({ home, clock, auditLog, workspace, tools, onError: (error) => errors.push(error) });
  onTestFinished(() => rules.dispose());
  return { rules, auditLog, workspace, errors };
}

function folder(name = 'shop'): WorkspaceFolder {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-rules-')));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  mkdirSync(join(parent, name));
  return folderAt(join(parent, name));
}

const path = (): string => join(home, 'rules.json');
const effects = (rules: RulesFile): string[] => rules.all.map(({ rule }) => rule.effect);

/** Writes the file as the user would. */
function write(content: unknown): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(path(), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('user rules', () => {
  test('F2: apply in every window at once and after a restart, until they are removed', async () => {
    const [here, there] = [open(), open()];
    const changed = new Promise<void>((resolve) => there.rules.onDidChange(() => resolve()));
    const reference = await here.rules.add(allowSource, { scope: 'user' });
    expect(reference).toEqual({ id: expect.stringMatching(/^r-[0-9a-f]{4,}$/), scope: 'user' });
    await changed;
    for (const { rules } of [here, there, open()]) {
      expect(rules.all).toMatchObject([{ scope: 'user', rule: { ...allowSource, id: reference.id } }]);
    }
    const removed = await there.rules.remove(reference.id);
    expect(removed?.rule.id).toBe(reference.id);
    await nextTurn();
    expect(here.rules.all).toEqual([]);
    if (removed) await there.rules.restore(removed);
    await nextTurn();
    expect(here.rules.all).toMatchObject([{ rule: { ...allowSource, id: reference.id } }]);
    expect(await here.rules.remove('r-unknown')).toBeUndefined();
  });

  test('apply as another window wrote them, before the file watcher reports it', async () => {
    const { rules } = open();
    expect(rules.all).toEqual([]);
    write({ version: 1, rules: [{ id: 'r-1', effect: 'deny', class: 'delete' }] });
    await nextTurn();
    expect(effects(rules)).toEqual(['deny']);
  });

  test('are the same array until a rule changes', async () => {
    const { rules } = open();
    await rules.add(allowSource, { scope: 'user' });
    const before = rules.all;
    rules.used({ id: before[0]?.rule.id ?? '', scope: 'user' });
    await rules.flush();
    await nextTurn();
    expect(rules.all).toBe(before);
  });

  test('are kept in a file that only this user can read', async () => {
    await open().rules.add(allowSource, { scope: 'user' });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  test('F16: are kept in the file when they are not valid and another rule is added', async () => {
    const odd = { id: 'r-odd', effect: 'allow', tools: ['aply_edit'], pathes: ['src/**'] };
    write({ version: 1, rules: [odd, 'nonsense', { id: 'r-odd', effect: 'deny', class: 'edit' }] });
    const { rules } = open();
    expect(rules.all.map(({ invalid }) => typeof invalid)).toEqual(['string', 'string', 'undefined']);
    await rules.add(allowSource, { scope: 'user' });
    const written: unknown = JSON.parse(readFileSync(path(), 'utf8'));
    expect(written).toMatchObject({ rules: [odd, 'nonsense', { id: 'r-odd' }, allowSource] });
  });

  test('are not saved when they are not valid', async () => {
    const { rules } = open();
    await expect(rules.add({ effect: 'allow', class: 'edit', paths: ['../x'] }, { scope: 'user' })).rejects.toThrow();
    await expect(rules.add({ effect: 'allow', class: 'config' }, { scope: 'user' })).rejects.toThrow();
    expect(existsSync(path())).toBe(false);
  });

  test('get an id when they have none, by which they can be removed and restored', async () => {
    write({ version: 1, rules: [{ effect: 'deny', class: 'delete' }] });
    const { rules } = open();
    const removed = await rules.remove(rules.all[0]?.rule.id ?? '');
    expect(removed?.rule.effect).toBe('deny');
    if (removed) await rules.restore(removed);
    if (removed) await rules.restore(removed);
    expect(rules.all).toHaveLength(1);
  });
});

describe('a rules file that is broken', () => {
  const request = (kind: 'edit' | 'read') => {
    const place = { folder: folderAt('/w'), fsPath: '/w/a.ts', realPath: '/w/a.ts' };
    const facts = {
      tool: 'apply_edit',
      principal: claude,
      files: 1,
      changedLines: 1,
      now: clock.now(),
      home: '/home/me',
    };
    return { ...facts, class: kind, targets: [{ place, class: kind }] };
  };
  const asks = (rules: RulesFile, kind: 'edit' | 'read'): boolean =>
    rules.all.some((scoped) => scoped.rule.id === unreadableRulesId && matchesRule(scoped, request(kind)));

  test('asks for what it allowed, keeps its deny and ask rules, and applies again when it is repaired', async () => {
    write({
      version: 1,
      rules: [
        { id: 'r-1', effect: 'allow', class: 'edit' },
        { id: 'r-2', effect: 'deny', class: 'delete' },
        { id: 'r-3', effect: 'ask', class: 'read', paths: ['notes/**'] },
      ],
    });
    const { rules } = open();
    write('{ "version": 1, "rules": [');
    await nextTurn();
    const kept = rules.all.filter(({ rule }) => rule.id !== unreadableRulesId);
    expect(kept.map(({ rule }) => rule.id)).toEqual(['r-2', 'r-3']);
    expect(rules.problem).toContain('rules.json cannot be used');
    expect([asks(rules, 'edit'), asks(rules, 'read')]).toEqual([true, false]);
    await expect(rules.add(allowSource, { scope: 'user' })).rejects.toThrow('cannot be used');
    write({ version: 1, rules: [{ id: 'r-1', effect: 'allow', class: 'edit' }] });
    await nextTurn();
    expect(effects(rules)).toEqual(['allow']);
    expect(rules.problem).toBeUndefined();
  });

  test('asks for reads too when it was never read', () => {
    write({ version: 2, rules: [] });
    const { rules } = open();
    expect([asks(rules, 'edit'), asks(rules, 'read')]).toEqual([true, true]);
  });
});

describe('workspace rules', () => {
  test('apply only in windows with their folder', async () => {
    const [shop, other] = [folder(), folder('other')];
    const { rules } = open([shop]);
    await rules.add(allowSource, { scope: 'workspace', folder: shop.realPath });
    expect(rules.all).toMatchObject([{ scope: 'workspace', folder: shop.realPath, rule: allowSource }]);
    expect(open([other]).rules.all).toEqual([]);
    const { rules: both, workspace } = open([other]);
    workspace.setFolders([other, shop]);
    expect(both.all).toHaveLength(1);
    await expect(rules.add(allowSource, { scope: 'workspace', folder: other.realPath })).rejects.toThrow(
      'not a folder',
    );
  });

  test('do not apply to another folder at the same path', async () => {
    const shop = folder();
    changeAfterBirth(shop.fsPath);
    const { rules } = open([shop]);
    await rules.add(allowSource, { scope: 'workspace', folder: shop.realPath });
    rmSync(shop.fsPath, { recursive: true });
    // The inode of the removed folder may be reused, but its birth time is not.
    mkdirSync(`${shop.fsPath}-between`);
    mkdirSync(shop.fsPath);
    writeFileSync(join(shop.fsPath, 'a.ts'), '');
    await nextTurn();
    expect(rules.all).toEqual([]);
    expect(open([shop]).rules.all).toEqual([]);
  });

  test('are not valid when their folder is not valid', () => {
    write({ version: 1, rules: [{ id: 'r-1', effect: 'allow', class: 'edit', folder: '/w' }] });
    expect(open().rules.all).toMatchObject([{ scope: 'user', invalid: expect.stringContaining('folder') }]);
  });
});

describe('session rules', () => {
  test('F3: belong to one principal, are not saved, and end after four hours', async () => {
    const { rules } = open();
    await rules.add(allowSource, { scope: 'session', principal: claude, client });
    const [scoped] = rules.all;
    expect(scoped).toMatchObject({ scope: 'session', principal: JSON.stringify(['window', 'claude']) });
    expect(rules.clientOf(scoped?.rule.id ?? '')).toEqual(client);
    expect(existsSync(path())).toBe(false);
    expect(open().rules.all).toEqual([]);
    clock.advance(4 * 60 * 60 * 1000);
    expect(rules.all).toEqual([]);
  });

  test('F3: end with the token of their assistant, and cannot be restored afterwards', async () => {
    const { rules } = open();
    await rules.add(allowSource, { scope: 'session', principal: claude, client });
    const { id } = await rules.add(allowSource, { scope: 'session', principal: codex, client });
    const removed = await rules.remove(id);
    if (removed) await rules.restore(removed);
    expect(rules.all).toHaveLength(2);
    await rules.remove(id);
    rules.endCredential('ci');
    expect(rules.all).toMatchObject([{ principal: JSON.stringify(['window', 'claude']) }]);
    await expect(rules.restore({ scope: 'session', rule: { ...allowSource, id } })).rejects.toThrow('ended');
    rules.endCredential('window');
    expect(rules.all).toEqual([]);
  });
});

describe('rules for the rest of a turn', () => {
  test('F3: end when their assistant works on another turn, and cannot be restored afterwards', async () => {
    const { rules } = open();
    const { id } = await rules.add(allowSource, { scope: 'session', principal: claude, client, turn: 'p-1' });
    await rules.add(allowSource, { scope: 'session', principal: claude, client });
    rules.endTurns(codex, 'p-2');
    rules.endTurns(claude, 'p-1');
    expect(rules.all).toHaveLength(2);
    const removed = await rules.remove(id);
    if (removed) await rules.restore(removed);
    rules.endTurns(claude, 'p-2');
    expect(rules.all).toHaveLength(1);
    await expect(rules.restore({ scope: 'session', rule: { ...allowSource, id } })).rejects.toThrow('ended');
  });
});

describe('F17: unused allow rules', () => {
  const origin = (): RuleOrigin => ({ how: 'card', at: new Date(clock.now()).toISOString() });
  const isExpired = (rules: RulesFile): boolean => Date.parse(rules.all[0]?.rule.expires ?? '') <= clock.now();

  test('expire after 30 days without use, and apply again when they are renewed', async () => {
    const { rules } = open();
    const { id } = await rules.add({ ...allowSource, origin: origin() }, { scope: 'user' });
    clock.advance(29 * day);
    expect(isExpired(rules)).toBe(false);
    rules.used({ id, scope: 'user' });
    await rules.flush();
    clock.advance(29 * day);
    expect(isExpired(rules)).toBe(false);
    clock.advance(3 * day);
    expect(isExpired(rules)).toBe(true);
    expect(isExpired(open().rules)).toBe(true);
    await rules.renew(id);
    expect([isExpired(rules), isExpired(open().rules)]).toEqual([false, false]);
  });

  test('expire 30 days after they were first seen when they have no date', async () => {
    write({ version: 1, rules: [{ id: 'r-1', effect: 'allow', class: 'edit' }] });
    const { rules } = open();
    await nextTurn();
    await rules.flush();
    clock.advance(32 * day);
    expect([isExpired(rules), isExpired(open().rules)]).toEqual([true, true]);
  });

  test('keep their own expiry, which renewing extends', async () => {
    const expires = new Date(clock.now() + day).toISOString();
    const { rules } = open();
    const { id } = await rules.add({ ...allowSource, expires }, { scope: 'user' });
    expect(rules.all[0]?.rule.expires).toBe(expires);
    clock.advance(2 * day);
    await rules.renew(id);
    expect(isExpired(rules)).toBe(false);
  });

  test('do not include deny rules, which never expire', async () => {
    const { rules } = open();
    await rules.add({ effect: 'deny', class: 'delete', origin: origin() }, { scope: 'user' });
    clock.advance(400 * day);
    expect(rules.all[0]?.rule.expires).toBeUndefined();
  });
});

describe('use counts', () => {
  test('of all windows are added up once a minute, and not in the rules file', async () => {
    const [here, there] = [open(), open()];
    const { id } = await here.rules.add(allowSource, { scope: 'user' });
    const written = readFileSync(path(), 'utf8');
    for (const { rules } of [here, here, there]) rules.used({ id, scope: 'user' });
    expect(here.rules.use(id).hits).toBe(2);
    await Promise.all([here.rules.flush(), there.rules.flush()]);
    const { rules } = open();
    expect(rules.use(id)).toEqual({ hits: 3, last: new Date(clock.now()).toISOString() });
    expect(readFileSync(path(), 'utf8')).toBe(written);
    here.rules.used({ id, scope: 'user' });
    expect(clock.pendingTimers).toBe(1);
  });

  test('of repository rules are kept in this window only', async () => {
    const { rules } = open();
    rules.used({ id: 'r-repository', scope: 'repository' });
    await rules.flush();
    expect(rules.use('r-repository').hits).toBe(1);
    expect(open().rules.use('r-repository')).toEqual({ hits: 0 });
  });
});

test('records every change with hashes of the whole set, whoever made it', async () => {
  const { rules, auditLog } = open();
  const { id } = await rules.add(allowSource, { scope: 'user' });
  await rules.add(allowSource, { scope: 'session', principal: claude, client });
  write({ version: 1, rules: [{ id, effect: 'deny', class: 'edit' }] });
  await nextTurn();
  expect(rules.all).toHaveLength(2);
  await rules.remove(id);
  const events = auditLog.events.map(({ event, change, scope }) => [event, change, scope]);
  expect(events).toEqual([
    ['rule.change', 'added', 'user'],
    ['rule.change', 'added', 'session'],
    ['rule.change', 'changed', 'user'],
    ['rule.change', 'removed', 'user'],
  ]);
  const hashes = auditLog.events.map(({ before, after }) => [before, after]);
  for (const [index, [before]] of hashes.entries()) if (index > 0) expect(before).toBe(hashes[index - 1]?.[1]);
  expect(JSON.stringify(auditLog.events)).not.toContain('cart.ts');
});

test('applies a new deny rule when the use file holds an invalid time', async () => {
  const { rules } = open();
  const { id } = await rules.add(allowSource, { scope: 'user' });
  const uses = { version: 1, uses: { [id]: { hits: 1, last: 'yesterday' } } };
  writeFileSync(join(home, 'rule-uses.json'), JSON.stringify(uses), { mode: 0o600 });
  const { rules: there } = open();
  await there.add({ effect: 'deny', class: 'edit' }, { scope: 'user' });
  await nextTurn();
  for (const each of [rules, there]) expect(effects(each)).toEqual(['allow', 'deny']);
});

describe('two rules with one id', () => {
  const deny = { id: 'r-1', effect: 'deny', class: 'edit' };
  const allow = { id: 'r-1', effect: 'allow', class: 'edit' };

  test('F16: get an id each, the deny rule applies, the allow rule does not, and each is removed by itself', async () => {
    write({ version: 1, rules: [deny, allow, { ...deny, class: 'delete' }] });
    const { rules } = open();
    expect(rules.all).toMatchObject([
      { rule: { id: 'r-1', effect: 'deny' } },
      { rule: { id: 'r-1-2', effect: 'allow' }, invalid: expect.stringContaining('Another rule has the id r-1.') },
      { rule: { id: 'r-1-3', effect: 'deny' } },
    ]);
    expect(rules.all[2]?.invalid).toBeUndefined();
    const removed = await rules.remove('r-1-2');
    expect(removed?.rule.effect).toBe('allow');
    await nextTurn();
    expect(effects(rules)).toEqual(['deny', 'deny']);
    if (removed) await rules.restore(removed);
    await nextTurn();
    expect(rules.all.map(({ rule }) => rule.effect)).toEqual(['deny', 'deny', 'allow']);
    expect(rules.all[2]?.invalid).toBeDefined();
  });

  test('A1: are recorded when either changes', async () => {
    write({ version: 1, rules: [deny, allow] });
    const { rules, auditLog } = open();
    write({ version: 1, rules: [{ ...deny, paths: ['x'] }, allow] });
    await nextTurn();
    expect(rules.all[0]?.rule.paths).toEqual(['x']);
    expect(auditLog.events).toMatchObject([{ event: 'rule.change', ruleId: 'r-1', change: 'changed' }]);
  });

  test('get another id when they use the id reserved for unreadable files', () => {
    write({ version: 1, rules: [{ ...allow, id: unreadableRulesId }] });
    expect(open().rules.all).toMatchObject([{ rule: { id: `${unreadableRulesId}-2` }, invalid: expect.anything() }]);
  });
});

/** Changes a folder after its birth: equal times leave it unsure whether the file system knows birth times. */
function changeAfterBirth(place: string): void {
  for (let stats = statSync(place); stats.birthtimeMs === stats.ctimeMs; stats = statSync(place)) {
    chmodSync(place, 0o755);
  }
}
