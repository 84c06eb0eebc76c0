import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expanded, guardsOfCommand, namesOwnSettings, pathsIn } from '#bridge/commandPlaces.ts';
import { ownSettings } from '#connect/hooks/ownSettings.ts';
import type { Guard } from '#home/guards.ts';
import { addWorkTree } from '../home/workTrees.ts';
import { temporaryFolder } from '../mcp/fixture.ts';

const ada = { home: '/home/ada', platform: 'linux' } as const;
const windows = { home: 'C:\\Users\\ada', platform: 'win32' } as const;

test.each([
  ['rm ~/shop/a', 'rm /home/ada/shop/a'],
  ['rm "$HOME"/shop', 'rm /home/ada/shop'],
  ['rm ${HOME}/a\\ b', 'rm /home/ada/a b'],
  ["cat '/home/ada'/x", 'cat /home/ada/x'],
  ['ls $HOMES ~bob/x', 'ls $HOMES ~bob/x'],
])('expanded: %s', (text, expected) => {
  expect(expanded(text, ada)).toBe(expected);
});

test('pathsIn resolves the words of a command against its folder', () => {
  const paths = pathsIn({ text: 'cp a.ts ../shop/b.ts && sed -i x --file=/etc/x', folder: '/home/ada/work' }, ada);
  for (const path of ['/home/ada/work/a.ts', '/home/ada/shop/b.ts', '/etc/x']) expect(paths).toContain(path);
});

test('pathsIn knows the paths of Windows', () => {
  const paths = pathsIn({ text: 'del "$env:USERPROFILE\\shop\\a.ts"; type D:\\x', folder: 'C:\\work' }, windows);
  for (const path of ['C:\\Users\\ada\\shop\\a.ts', 'D:\\x']) expect(paths).toContain(path);
});

describe('guardsOfCommand', () => {
  const guardOf = (...folders: readonly string[]): Guard => ({
    windowId: 'one',
    state: 'open',
    folders,
    changedAt: Date.now(),
    hasEnded: false,
  });
  const places = async () => {
    const home = realpathSync(await temporaryFolder());
    const [shop, other] = [join(home, 'shop'), join(home, 'other')];
    for (const folder of [shop, other]) mkdirSync(folder);
    const isAsked = async (text: string, folder: string, guard = guardOf(shop)) =>
      (await guardsOfCommand([guard], { text, folder }, { home, platform: process.platform })).length === 1;
    return { home, shop, other, isAsked };
  };

  test('asks the window of the folder, and that of a folder below it', async () => {
    const { home, shop, isAsked } = await places();
    expect(await isAsked('make', shop)).toBe(true);
    expect(await isAsked('make', join(shop, 'src'))).toBe(true);
    expect(await isAsked('make', home)).toBe(true);
  });

  test('asks the window of a folder that the text names, in the spellings of a shell', async () => {
    const { home, shop, other, isAsked } = await places();
    const named = [
      `rm ${shop}/a`,
      'rm ~/shop/a',
      'rm "$HOME/shop"',
      'rm ${HOME}/shop/*',
      'cd ../shop; make',
      'rm -rf ~',
      'rm ~/sh*/a',
    ];
    const quoted = [`rm '${home}'/"shop"/a`, `rm ${home}/sh\\op/a`, `git -C${shop} clean`, `x=${shop}:y`];
    for (const text of [...named, ...quoted]) expect(`${text} ${await isAsked(text, other)}`).toBe(`${text} true`);
    for (const text of ['make', `rm ${shop}-2/a`, `rm ${shop}_b`, 'ls /', 'echo shop', 'cat ../shops/a']) {
      expect(`${text} ${await isAsked(text, other)}`).toBe(`${text} false`);
    }
  });

  test('asks the window of a folder that the text names by a link', async () => {
    const { home, shop, other, isAsked } = await places();
    symlinkSync(shop, join(home, 'link'));
    expect(await isAsked('rm ../link/a', other)).toBe(true);
  });

  test('asks the window of the repository about another work tree of it', async () => {
    const { home, shop, other, isAsked } = await places();
    const tree = join(home, 'feature');
    addWorkTree(join(shop, '.git'), tree);
    expect(await isAsked('make', tree)).toBe(true);
    expect(await isAsked('rm ../feature/a', other)).toBe(true);
  });

  test('finds a folder in a text of any length', async () => {
    const { shop, other, isAsked } = await places();
    const words = Array.from({ length: 20_000 }, (_, index) => `w${index}`).join(' ');
    expect(await isAsked(`${words} ${shop}/a`, other)).toBe(true);
  });
});

describe('namesOwnSettings', () => {
  const settings = ownSettings({ ...ada, state: '/home/ada/.drawbridge', environment: {} });
  const isNamed = (text: string, folder = '/work') => namesOwnSettings({ text, folder }, settings, ada);

  test.each([
    'rm /home/ada/.codex/hooks.json',
    'sed -i s/a/b/ ~/.claude/settings.json',
    'rm "$HOME/.CLAUDE/Settings.json"',
    'echo x >${HOME}/.gemini/settings.json',
    'rm -rf ~/.claude',
    'rm ~/.claude/*.json',
    'rm -rf ~/.config/opencode',
    '~/.drawbridge/bin/drawbridge guard off',
    'echo x>>~/".copilot"/hooks/a.json',
    'python -c "open(\'/home/ada/.codex/config.toml\')"',
  ])('finds one in %s', async (text) => {
    expect(await isNamed(text)).toBe(true);
  });

  test('finds one relative to the folder, and in the folder of an assistant', async () => {
    expect(await isNamed('rm .claude/settings.json', '/home/ada')).toBe(true);
    expect(await isNamed('rm ../.codex/hooks.json', '/home/ada/shop')).toBe(true);
    expect(await isNamed('rm "$file"', '/home/ada/.codex')).toBe(true);
    expect(await isNamed('rm "$file"', '/home/ada/.config')).toBe(false);
  });

  test.each([
    'ls ~',
    'cat ~/.claude/CLAUDE.md',
    'rm .claude/settings.json',
    'ls ~/.config/nvim',
    'rm ~/.drawbridges/x',
  ])('finds none in %s', async (text) => {
    expect(await isNamed(text)).toBe(false);
  });

  test('finds a settings file by the file that it links to', async () => {
    const home = realpathSync(await temporaryFolder());
    for (const folder of ['.claude', 'dotfiles']) mkdirSync(join(home, folder));
    writeFileSync(join(home, 'dotfiles/claude.json'), '{}');
    symlinkSync(join(home, 'dotfiles/claude.json'), join(home, '.claude/settings.json'));
    const places = { home, platform: process.platform };
    const own = ownSettings({ ...places, state: join(home, '.drawbridge'), environment: {} });
    const isFound = (text: string) => namesOwnSettings({ text, folder: join(home, 'dotfiles') }, own, places);
    expect(await isFound('rm claude.json')).toBe(true);
    expect(await isFound('rm other.json')).toBe(false);
  });
});
