import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { withKinds } from '#call/toolKinds.ts';
import { tools } from '#tools/index.ts';

const command = z.object({
  command: z.string(),
  title: z.string(),
  category: z.string(),
  enablement: z.string().optional(),
});
const menuEntry = z.object({ command: z.string(), when: z.string(), group: z.string().optional() });
const property = z.looseObject({ scope: z.string(), default: z.unknown(), markdownDescription: z.string() });
const manifestShape = z.object({
  icon: z.string(),
  capabilities: z.object({ untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }) }),
  contributes: z.object({
    commands: z.array(command),
    keybindings: z.array(z.object({ command: z.string(), key: z.string(), mac: z.string(), when: z.string() })),
    viewsContainers: z.record(z.string(), z.array(z.object({ id: z.string(), icon: z.string() }))),
    menus: z.record(z.string(), z.array(menuEntry)),
    configuration: z.object({ properties: z.record(z.string(), property) }),
  }),
});

const text = readFileSync('package.json', 'utf8');
const manifest = manifestShape.parse(JSON.parse(text));
const { commands, menus, configuration, keybindings } = manifest.contributes;
const names = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('package.nls.json', 'utf8')));
// Without the lists that the manifest is written from: they name every command and run none.
const source = globSync('src/**/*.{ts,tsx}', { exclude: ['src/main/contributions/**'] })
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** The verbs that titles of commands begin with. */
const verbs = new Set(
  `Add Always Arrange Change Choose Clear Compare Connect Copy Create Decline Delete Disconnect Edit Enable Explain Export Filter
  Find Keep Leave Open Pause Redo Remove Renew Restart Resume Retry Review Revoke Run Set Show Start Stop Switch Test Turn Undo
  Verify`.split(/\s+/),
);
/** The row of a call asks in the words of the user. */
const asksWhy = 'Why Was I Asked?';
/** Context keys that VS Code sets (code.visualstudio.com/api/references/when-clause-contexts). */
const editorKeys = new Set([
  'editorIsOpen',
  'explorerResourceIsFolder',
  'isWorkspaceTrusted',
  'remoteName',
  'resourceScheme',
  'view',
  'viewItem',
  'workbenchState',
  'workspaceFolderCount',
]);

test('package.nls.json has exactly the texts that the manifest uses', () => {
  const used = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
  expect(used).toEqual(new Set(Object.keys(names)));
});

describe('commands', () => {
  test('are all in a table of commands, except the menu, which is registered before other code is loaded', () => {
    expect(source).toContain("registerCommand('drawbridge.showMenu'");
    for (const { command: id } of commands.filter((each) => each.command !== 'drawbridge.showMenu')) {
      expect(source, id).toMatch(new RegExp(`^ +(async )?${id.replace('drawbridge.', '')}(: |\\(|,$)`, 'm'));
    }
  });

  test('have the category Drawbridge', () => {
    expect(new Set(commands.map(({ category }) => category))).toEqual(new Set(['Drawbridge']));
  });

  test('are not in the palette when they need an argument or a selected row', () => {
    const hidden = new Set(menus['commandPalette']?.filter(({ when }) => when === 'false').map((each) => each.command));
    const internal = [
      'openActivity',
      'reviewThisApproval',
      'showMenu',
      'explainDecision',
      'showRule',
      'showChangeDiff',
    ];
    for (const id of internal) expect(hidden).toContain(`drawbridge.${id}`);
    // Without a row these commands are about the window, or ask which token or assistant.
    const withoutRow = new Set(
      [
        'start',
        'stop',
        'restart',
        'showLog',
        'copyHttpUrl',
        'retryHttpListener',
        'revokeToken',
        'disconnectAssistant',
      ].map((id) => `drawbridge.${id}`),
    );
    const ofRows = menus['view/item/context']?.filter((each) => !withoutRow.has(each.command)) ?? [];
    for (const { command: id } of ofRows) expect(hidden).toContain(id);
  });

  test('have titles that begin with a verb in title case, and end in "..." or a word', () => {
    const titles = commands.map(({ title }) => names[title.slice(1, -1)] ?? '');
    expect(titles.filter((title) => !verbs.has(title.split(/[ .]/)[0] ?? '') && title !== asksWhy)).toEqual([]);
    expect(titles.filter((title) => !/^[A-Z].*(?:\.{3}|\w)$/.test(title) && title !== asksWhy)).toEqual([]);
  });

  test('are in the palette only while they apply when they are for maintenance', () => {
    const conditions = new Map(menus['commandPalette']?.map(({ command: id, when }) => [id, when]));
    for (const { command: id, enablement } of commands) {
      if (enablement !== undefined && !conditions.has(id)) conditions.set(id, enablement);
    }
    const maintenance = {
      clearContext: 'hasContext',
      clearMarks: 'hasMarks',
      copyHttpUrl: 'hasTokens',
      deleteRecords: 'hasRecords',
      enableEdits: 'held',
      exportAudit: 'hasRecords',
      guardAgain: 'guardOff',
      pauseAssistants: 'hasAssistants',
      resumeAssistants: 'restricted',
      retryHttpListener: 'listenerClosed',
      reviewNextApproval: 'hasPending',
      revokeToken: 'hasTokens',
      undoLastChange: 'canUndo',
      verifyAudit: 'hasRecords',
    };
    for (const [name, key] of Object.entries(maintenance)) {
      expect(conditions.get(`drawbridge.${name}`), name).toBe(`drawbridge.${key}`);
    }
    const always = commands.filter(({ command: id }) => !conditions.has(id));
    // A fresh window shows these and no others. It showed 31 once.
    expect(always.length).toBeLessThanOrEqual(18);
  });

  test('in the menu behind the dots of a view are in the palette or in the menu of the status bar too', () => {
    const never = new Set(menus['commandPalette']?.filter(({ when }) => when === 'false').map((each) => each.command));
    const statusMenu = readFileSync('src/ui/statusMenu.ts', 'utf8');
    const behindDots = (menus['view/title'] ?? []).filter(({ group }) => !group?.startsWith('navigation'));
    expect(behindDots.length).toBeGreaterThan(5);
    for (const { command: id } of behindDots) {
      expect(!never.has(id) || statusMenu.includes(`'${id}'`), id).toBe(true);
    }
  });

  test('exist when the code runs or offers them', () => {
    const ids = new Set(commands.map((each) => each.command));
    const used = [...source.matchAll(/(?:executeCommand\(|command: )'(drawbridge\.\w+)'/g)].map(([, id]) => id);
    expect(new Set(used).size).toBeGreaterThan(10);
    for (const id of used.filter((each) => each !== undefined)) expect(ids).toContain(id);
  });

  test('exist when a menu or key binding names them', () => {
    const ids = new Set(commands.map((each) => each.command));
    for (const { command: id } of [...Object.values(menus).flat(), ...keybindings]) expect(ids).toContain(id);
  });
});

test('the conditions of the manifest name only context keys that the code sets', () => {
  const conditions = [...text.matchAll(/"(?:when|enablement)": "([^"]+)"/g)].map(([, condition]) => condition ?? '');
  const keys = conditions.flatMap((condition) =>
    condition.split(/\s*(?:&&|\|\|)\s*/).map((term) => /^!?([\w.]+)/.exec(term)?.[1] ?? term),
  );
  const own = keys.filter((key) => key.startsWith('drawbridge.'));
  expect(own.length).toBeGreaterThan(5);
  for (const key of new Set(own)) {
    // `keep` is the function of src/main/contextKeys.ts that follows a value.
    const isSet = source.includes(`'setContext', '${key}'`) || source.includes(`keep('${key}',`);
    expect(isSet, key).toBe(true);
  }
  const others = keys.filter((key) => !key.startsWith('drawbridge.') && key !== 'false');
  expect(others.filter((key) => !editorKeys.has(key))).toEqual([]);
});

describe('settings', () => {
  const settings = Object.entries(configuration.properties);

  test('A1 cannot be set by a workspace', () => {
    expect(settings.length).toBeGreaterThan(0);
    for (const [, { scope }] of settings) expect(scope).toBe('application');
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    expect(new Set(restricted)).toEqual(new Set(settings.map(([id]) => id)));
  });

  test('list every toolset and every tool, and show that each toolset is on', () => {
    const toolsets = z
      .object({ default: z.record(z.string(), z.boolean()), properties: z.record(z.string(), z.unknown()) })
      .parse(configuration.properties['drawbridge.toolsets']);
    const sets = new Set(tools.map(({ toolset }) => toolset));
    // A toolset with an optional tool cannot be shown as on, because that would turn the tool on.
    const withOptional = new Set(tools.filter(({ isOptional }) => isOptional).map(({ toolset }) => toolset));
    const whole = [...sets].filter((name) => !withOptional.has(name));
    expect(toolsets.default).toEqual(Object.fromEntries(whole.map((name) => [name, true])));
    expect(Object.keys(toolsets.properties)).toEqual([...sets, ...withKinds(tools).map(({ name }) => name)]);
  });

  test('are all read by the source code', () => {
    for (const [id] of settings) expect(source).toContain(`'${id.replace('drawbridge.', '')}'`);
  });
});

test('the icons exist, and the icon for the marketplace has 128 by 128 pixels', () => {
  for (const { icon } of Object.values(manifest.contributes.viewsContainers).flat())
    expect(existsSync(icon)).toBe(true);
  const png = readFileSync(manifest.icon);
  expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['PNG', 128, 128]);
});
