import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { withKinds } from '#call/toolKinds.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';

// A sentence may continue on the next line.
const readme = readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ');
const texts = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('package.nls.json', 'utf8')));
const { contributes, scripts } = z
  .object({
    scripts: z.record(z.string(), z.string()),
    contributes: z.object({
      commands: z.array(z.object({ title: z.string() })),
      configuration: z.object({ properties: z.record(z.string(), z.object({ default: z.unknown() })) }),
    }),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const named = (pattern: RegExp): string[] => [...readme.matchAll(pattern)].map(([, name]) => name ?? '');

it.each(['README.md', 'docs/marketplace.md'])('%s names only existing commands, by their title', (file) => {
  const titles = contributes.commands.map(({ title }) => texts[title.replaceAll('%', '')]);
  const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
  const commands = [...text.matchAll(/\*\*Drawbridge: ([^*]+)\*\*/g)].map(([, name]) => name ?? '');
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.filter((command) => !titles.includes(command))).toEqual([]);
});

describe('the README', () => {
  it('names every setting, with its default', () => {
    const settings = Object.entries(contributes.configuration.properties).map(([name, setting]) => {
      const { default: value } = setting;
      return [name, typeof value === 'string' ? value : JSON.stringify(value)] as const;
    });
    const rows = [...readme.matchAll(/\| `(drawbridge\.[\w.]+)` \| `?([^|`]+?)`? \|/g)].map((row) => row.slice(1, 3));
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(settings));
  });

  it('names every tool', () => {
    const missing = withKinds(tools)
      .map(({ name }) => name)
      .filter((name) => !readme.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it('names every resource and every prompt', () => {
    const addresses = resources.map(({ address }) =>
      'uri' in address ? address.uri : address.uriTemplate.replace('{+', '{'),
    );
    const missing = [...addresses, ...prompts.map(({ name }) => name)].filter(
      (name) => !readme.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  it('names only existing npm scripts', () => {
    const scriptNames = named(/npm run ([\w:]+)/g);
    expect(scriptNames.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe('the instructions of the README', () => {
  it.each([
    ['how to install', /code --install-extension dist\/drawbridge\.vsix/],
    ['how to connect in one click', /Connect an Assistant\.\.\.\*\*.*one click writes it/],
    [
      'how an assistant finds the right one of several windows',
      /\*\*Several windows\*\*: an assistant gets the window that has the folder open/,
    ],
    ['how to work on a remote host', /On a remote host.*start it in the integrated terminal/],
    [
      'how to connect over HTTP with a token',
      /Create Access Token\.\.\.\*\*.*Authorization: Bearer.*Copy URL for HTTP Clients/,
    ],
    ['how to avoid a second question of VS Code', /"Always Allow Tools from Drawbridge".*Chat: Manage Tool Approval/],
    [
      'how to find out why a connection does not work',
      /Drawbridge: Run Doctor\*\*, or `~\/\.drawbridge\/bin\/drawbridge doctor`/,
    ],
    [
      'how to turn tools off',
      /`drawbridge\.toolsets` you turn off what you do not want offered.*cannot be called either/,
    ],
    [
      'how to change the result format of an assistant',
      /\*\*Change Result Format\.\.\.\*\* on its row in the Connections view/,
    ],
    [
      'how to show an assistant which lines are meant',
      /\*\*Drawbridge: Add to Assistant Context\*\*, in the menus of editors/,
    ],
    [
      'how to make a command a tool',
      /\*\*Drawbridge: Add Command as Tool\.\.\.\*\* makes a command of the editor a tool/,
    ],
    ['how to offer tools of other extensions', /\*\*Tools of other extensions\*\*.*one by one, in the Tools view/],
    ['how to uninstall', /To \*\*uninstall\*\*, disconnect your assistants first/],
  ])('say %s', (_, words) => {
    expect(readme).toMatch(words);
  });
});

it("says which edits by assistants' own tools are reviewed, and which are not", () => {
  expect(readme).toMatch(
    /the edits that Claude Code, Codex, Gemini CLI, Copilot CLI and opencode make with \[their own tools\]\(docs\/connecting\.md\)\. .*\. Commands that these assistants run in a shell of their own wait too when they change files\. Edits and commands of all other assistants' own tools are not reviewed yet\./,
  );
});
