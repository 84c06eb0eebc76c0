import { describe, expect, it } from 'vitest';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { problemAt } from '../../fakes/problemAt.ts';
import { RequestRun } from '../../fakes/requestRun.ts';
import { characters } from '../../fakes/secrets.ts';

/** Returns the text of a prompt, and the files that it embeds. */
async function messagesOf(run: RequestRun, name: string, given: Readonly<Record<string, string>> = {}) {
  const outcome = await run.prompt(name, given);
  if (outcome.kind !== 'prompt') throw new Error(`Refused: ${JSON.stringify(outcome)}`);
  const blocks = outcome.messages.map(({ role, content }) => {
    expect(role).toBe('user');
    return content;
  });
  return {
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    embedded: blocks.flatMap((block) => (block.type === 'resource' ? [block] : [])),
  };
}

function symbol(run: RequestRun, fsPath: string, name: string, firstLine: number) {
  return { ...run.found(fsPath), name, kind: 'function', firstLine, lastLine: firstLine };
}

describe('the prompts', () => {
  it('have unique verb_noun names, and short texts in the list', () => {
    const names = prompts.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
  });

  it.each(prompts.map((prompt) => [prompt.name, prompt] as const))(
    'keep the definition of %s that the snapshot holds',
    (_, prompt) => {
      const { name, title, description, judgedAs } = prompt;
      const given = prompt.arguments.map(({ completion, ...each }) => ({
        ...each,
        completed: completion !== undefined,
      }));
      expect({ name, title, description, judgedAs, arguments: given }).toMatchSnapshot();
    },
  );

  it('name only tools that exist', async () => {
    const run = new RequestRun({ '/w/a.ts': 'function one() {}\n' });
    run.select('/w/a.ts', { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 9 });
    run.publish({ '/w/a.ts': [problemAt(1, 'error')] });
    const known = new Set([...tools.map(({ name }) => name), 'pending_approval']);
    for (const { name } of prompts) {
      const given = { review_selection: {}, explain_symbol: { symbol: 'one' }, fix_problems: { path: 'a.ts' } };
      const values = Object.entries(given).find(([each]) => each === name)?.[1] ?? { goal: 'More.' };
      const { text } = await messagesOf(run, name, values);
      for (const [word] of text.matchAll(/\b[a-z]+_[a-z]+\b/g)) expect(known).toContain(word);
    }
  });
});

describe('review_selection', () => {
  it('returns the selection and the file around it', async () => {
    const run = new RequestRun({ '/w/src/a.ts': 'one\ntwo\nthree\n' });
    run.select('/w/src/a.ts', { firstLine: 2, firstColumn: 1, lastLine: 3, lastColumn: 6 });
    const { text, embedded } = await messagesOf(run, 'review_selection');
    expect(text).toMatch(/^Review the selected code, lines 2-3 of src\/a\.ts\. .*\(lines 1-4 of 4, version \w{16}\)/);
    expect(text).toContain('src/a.ts: selected from 2:1 to 3:6:\ntwo\nthree\n');
    expect(embedded).toMatchObject([
      {
        resource: { uri: 'file:///w/src/a.ts', mimeType: 'text/x-typescript', text: 'one\ntwo\nthree\n' },
        annotations: { audience: ['assistant'], priority: 0.9, lastModified: '2026-11-21T00:00:00.000Z' },
      },
    ]);
  });

  it('returns the part of a long file that fits, from some lines before the selection', async () => {
    const run = new RequestRun({ '/w/a': Array.from({ length: 1000 }, (_, at) => `line ${at + 1}`).join('\n') });
    run.readBytes = 2000;
    run.select('/w/a', { firstLine: 500, firstColumn: 1, lastLine: 500, lastColumn: 5 });
    const { text, embedded } = await messagesOf(run, 'review_selection');
    expect(text).toMatch(/\(lines 400-\d+ of 1000/);
    expect(embedded).toMatchObject([{ resource: { text: expect.stringMatching(/^line 400\n.*line 500\n/s) } }]);
  });

  it('says what to do when nothing is selected', async () => {
    const run = new RequestRun({ '/w/a': 'x' });
    const refusal = { kind: 'error', code: 'no_match', hint: expect.stringContaining('select the code') };
    expect(await run.prompt('review_selection')).toMatchObject(refusal);
    run.select('/w/a', { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 1 });
    expect(await run.prompt('review_selection')).toMatchObject(refusal);
  });

  it('A8: returns nothing of a secret file', async () => {
    const run = new RequestRun({ '/w/.env': 'KEY=1', '/w/notes': { link: '/w/.env' } });
    const range = { firstLine: 1, firstColumn: 1, lastLine: 1, lastColumn: 6 };
    run.select('/w/.env', range);
    expect(await run.prompt('review_selection')).toMatchObject({ kind: 'error', code: 'no_match' });
    run.select('/w/notes', range);
    expect(await run.prompt('review_selection')).toMatchObject({ kind: 'error', code: 'denied' });
  });
});

describe('fix_problems', () => {
  it('returns the file and its diagnostics', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\n', '/w/b.ts': '' });
    run.publish({ '/w/a.ts': [problemAt(1, 'error', 'Bad.')], '/w/b.ts': [problemAt(1, 'error', 'Other.')] });
    const { text, embedded } = await messagesOf(run, 'fix_problems', { path: 'a.ts' });
    expect(text).toContain('1 problem in 1 file: 1 error\na.ts\n  1:1 error Bad.\n');
    expect(text).not.toContain('Other.');
    expect(embedded).toMatchObject([{ resource: { uri: 'file:///w/a.ts', text: 'one\n' } }]);
  });

  it('finds the diagnostics of a file that is addressed through a link', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\n', '/w/link.ts': { link: '/w/a.ts' } });
    run.publish({ '/w/a.ts': [problemAt(1, 'error', 'Bad.')] });
    expect((await messagesOf(run, 'fix_problems', { path: 'link.ts' })).text).toContain('1:1 error Bad.');
  });

  it('says what to do when the file has no diagnostics', async () => {
    expect(await new RequestRun({ '/w/a.ts': '' }).prompt('fix_problems', { path: 'a.ts' })).toMatchObject({
      kind: 'error',
      code: 'no_match',
      message: 'a.ts has no problems.',
    });
  });

  it('A8: returns nothing of a secret file', async () => {
    const run = new RequestRun({ '/w/.env': 'KEY=1' });
    run.publish({ '/w/.env': [problemAt(1, 'error')] });
    expect(await run.prompt('fix_problems', { path: '.env' })).toMatchObject({ kind: 'error', code: 'denied' });
  });
});

describe('finding 24: fix_problems', () => {
  it('asks language services about the file, as get_diagnostics does, though no list shows its problems', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\n' });
    const asked: string[] = [];
    run.diagnostics.examine = async (files) => {
      asked.push(...files.map(({ path }) => path));
      return files.map((file) => ({ ...file, freshness: 'fresh' as const, diagnostics: [problemAt(1, 'error')] }));
    };
    const { text } = await messagesOf(run, 'fix_problems', { path: 'a.ts' });
    expect(asked).toEqual(['a.ts']);
    expect(text).toContain('1 problem in 1 file: 1 error');
  });

  it('tells a file without problems from one that no service has looked at', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\n' });
    for (const [freshness, message] of [
      ['fresh', 'a.ts has no problems.'],
      ['unanswered', 'No language service has answered for a.ts yet.'],
    ] as const) {
      run.diagnostics.examine = async (files) => files.map((file) => ({ ...file, freshness, diagnostics: [] }));
      expect(await run.prompt('fix_problems', { path: 'a.ts' })).toMatchObject({ code: 'no_match', message });
    }
  });
});

describe('explain_symbol', () => {
  it('returns the file that declares the symbol, and names the other places', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\ntwo\n', '/w/b.ts': '' });
    run.symbols.places = [
      symbol(run, '/w/b.ts', 'twofold', 1),
      symbol(run, '/w/a.ts', 'two', 2),
      symbol(run, '/w/b.ts', 'two', 7),
    ];
    const { text, embedded } = await messagesOf(run, 'explain_symbol', { symbol: 'two' });
    expect(text).toMatch(/^Explain two\. It is declared at a\.ts:2; .*\nIt is also declared at b\.ts:7\.\n/);
    expect(embedded).toMatchObject([{ resource: { uri: 'file:///w/a.ts', text: 'one\ntwo\n' } }]);
  });

  it('finding 24: takes Cart.addItem as every tool does', async () => {
    const text = 'class Cart {\n  addItem() {}\n}\nclass List {\n  addItem() {}\n}\n';
    const run = new RequestRun({ '/w/a.ts': text });
    run.symbols.places = [
      { ...symbol(run, '/w/a.ts', 'addItem', 2), container: 'Cart' },
      { ...symbol(run, '/w/a.ts', 'addItem', 5), container: 'List' },
    ];
    const { text: told } = await messagesOf(run, 'explain_symbol', { symbol: 'Cart.addItem' });
    expect(told).toMatch(/^Explain Cart\.addItem\. It .* at a\.ts:2;/);
  });

  it('takes the symbol in the named file', async () => {
    const run = new RequestRun({ '/w/a.ts': 'a', '/w/b.ts': 'b' });
    run.symbols.places = [symbol(run, '/w/a.ts', 'two', 2), symbol(run, '/w/b.ts', 'two', 7)];
    const { text, embedded } = await messagesOf(run, 'explain_symbol', { symbol: 'two', path: 'b.ts' });
    expect(text).toMatch(/^Explain two\. It is declared at b\.ts:7;/);
    expect(text).not.toContain('also declared');
    expect(embedded).toMatchObject([{ resource: { text: 'b' } }]);
  });

  it('searches for the word when no language service knows the symbol, lines like declarations first', async () => {
    const run = new RequestRun({ '/w/a.py': 'two()\n', '/w/b.py': 'x = 1\ndef two():\n', '/w/c.py': 'one()\n' });
    const { text, embedded } = await messagesOf(run, 'explain_symbol', { symbol: 'two' });
    expect(text).toMatch(/^Explain two\. It stands at b\.py:2; .*\nIt also stands at a\.py:1\.\n/);
    expect(embedded).toMatchObject([{ resource: { uri: 'file:///w/b.py' } }]);
    expect(run.search.queries).toMatchObject([
      { pattern: 'two', wholeWord: true, caseSensitive: true, isRegex: false },
    ]);
  });

  it('names 20 other places, and says when there are more', async () => {
    const nodes = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`/w/f${at}`, 'two']));
    const run = new RequestRun(nodes);
    const { text } = await messagesOf(run, 'explain_symbol', { symbol: 'two' });
    expect(text.match(/f\d+:1/g)).toHaveLength(21);
    expect(text).toContain(' and in more places.');
    expect(run.search.stopped).toBe(1);
  });

  it('says what to do when there is no such symbol', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one' });
    expect(await run.prompt('explain_symbol', { symbol: 'two' })).toMatchObject({
      kind: 'error',
      code: 'no_match',
      message: 'There is no symbol two in this workspace.',
    });
    expect(await run.prompt('explain_symbol', { symbol: 'two', path: 'a.ts' })).toMatchObject({
      message: 'There is no symbol two in a.ts.',
    });
  });

  it('A8: returns nothing of a secret file, whether a language service or a search finds the symbol there', async () => {
    const run = new RequestRun({ '/w/.env': 'API_KEY=1' });
    expect(await run.prompt('explain_symbol', { symbol: 'API_KEY' })).toMatchObject({ code: 'no_match' });
    run.symbols.places = [symbol(run, '/w/.env', 'API_KEY', 1)];
    expect(await run.prompt('explain_symbol', { symbol: 'API_KEY' })).toMatchObject({ code: 'no_match' });
  });
});

describe('make_change', () => {
  it('says how to make changes with Drawbridge, and returns the file to begin with', async () => {
    const run = new RequestRun({ '/w/a.ts': 'one\n' });
    const { text, embedded } = await messagesOf(run, 'make_change', { goal: 'Rename one to two.', path: 'a.ts' });
    expect(text).toContain('\nRename one to two.\n');
    expect(text).toMatch(/Begin with a\.ts; it follows \(lines 1-2 of 2, version \w{16}\)\./);
    const steps = [...text.matchAll(/\b(search_code|read_file|apply_edit|get_approval)\b/g)].map(([name]) => name);
    expect([...new Set(steps)]).toEqual(['search_code', 'read_file', 'apply_edit', 'get_approval']);
    expect(embedded).toMatchObject([{ resource: { uri: 'file:///w/a.ts', text: 'one\n' } }]);
  });

  it('works without a file', async () => {
    const { text, embedded } = await messagesOf(new RequestRun({}), 'make_change', { goal: 'More.' });
    expect(text).not.toContain('Begin with');
    expect(embedded).toEqual([]);
  });

  it('A8: shows no secret of the file', async () => {
    const secret = `ghp_${characters(36)}`;
    const run = new RequestRun({ '/w/a.ts': `const t = "${secret}";\n` });
    const { embedded } = await messagesOf(run, 'make_change', { goal: 'More.', path: 'a.ts' });
    expect(JSON.stringify(embedded)).toContain('[redacted:');
    expect(JSON.stringify(embedded)).not.toContain(secret);
  });

  it('refuses a file that is binary, missing or outside the workspace', async () => {
    const run = new RequestRun({ '/w/a.bin': Buffer.from([0]) });
    const refusal = async (path: string) => run.prompt('make_change', { goal: 'More.', path });
    expect(await refusal('a.bin')).toMatchObject({ kind: 'error', code: 'binary_file' });
    expect(await refusal('gone')).toMatchObject({ kind: 'error', code: 'not_found' });
    expect(await refusal('/etc/passwd')).toMatchObject({ kind: 'error', code: 'outside_workspace' });
  });
});
