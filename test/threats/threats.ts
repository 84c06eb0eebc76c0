import { readFileSync } from 'node:fs';
import * as prettier from 'prettier';
import * as z from 'zod';

const rowSchema = z.strictObject({
  /** F: what goes wrong for users. G: assistants' own edits. H: transport. P: paths and files. A: policy, approval, prompt injection. */
  id: z.string().regex(/^[FGHPA][1-9]\d?$/),
  threat: z.string().min(1),
  /** The defence of our code. */
  defence: z.string().min(1),
  /** Tests that fail without the line; `name` of a test or a group, as written in the file. */
  tests: z.array(z.strictObject({ file: z.string(), name: z.string() })).min(1),
  /** `find` occurs once in the file; `replace` is the text without the defence. */
  line: z.strictObject({ file: z.string(), find: z.string().min(1), replace: z.string() }),
});

/** A threat or failure, with the tests that check the defence and the line of code without which they fail. */
export type ThreatRow = z.infer<typeof rowSchema>;

/** Returns the rows of `test/threats/threats.json` in order. Paths are relative to the repository. */
export function threatRows(): readonly ThreatRow[] {
  return z.array(rowSchema).parse(JSON.parse(readFileSync('test/threats/threats.json', 'utf8')));
}

/** Returns whether all tests of a row need a browser or an extension host. */
export function needsHost({ tests }: ThreatRow): boolean {
  return tests.every(({ file }) => file.startsWith('test/pages/') || file.startsWith('test/e2e/'));
}

/** Returns whether a test of the row needs the packaged extension. */
export function needsPackage({ tests }: ThreatRow): boolean {
  return tests.some(({ file }) => file.startsWith('test/e2e/'));
}

const introduction = `# Threats and failures

Written by \`npm run docs\` from \`test/threats/threats.json\`; do not edit by hand.

Each row has the test that holds it, and the line of code that the test would miss: \`npm run test:threats\` replaces the line of
each row in a copy of the repository and expects the test to turn red. Rows marked "host" are held by a test in a browser or in
a real editor alone; \`npm run test:threats -- --host\` runs those too. \`npm run attack\` runs live attacks on the packaged
extension; \`test/attack/notLive.ts\` names the rows without one. Comments and tests cite rows by their id, for example
\`A17\`. [security.md](security.md) says how all of it fits together.
`;

const groups: readonly { readonly letter: string; readonly title: string }[] = [
  { letter: 'A', title: 'Policy, approval and prompt injection' },
  { letter: 'P', title: 'Paths and files' },
  { letter: 'H', title: 'Transport and HTTP' },
  { letter: 'G', title: 'Edits with the own tools of assistants' },
  { letter: 'F', title: 'Failures that users of other products met' },
];

/** Returns `docs/threats.md`, formatted like the repository. */
export async function threatTable(): Promise<string> {
  const rows = threatRows();
  const sections = groups.map(({ letter, title }) => {
    const own = rows.filter(({ id }) => id.startsWith(letter)).toSorted((a, b) => numberOf(a) - numberOf(b));
    return [`## ${title}`, '', ...head, ...own.map(tableRow), ''].join('\n');
  });
  const text = [introduction, ...sections].join('\n');
  return prettier.format(text, { ...(await prettier.resolveConfig('docs/threats.md')), parser: 'markdown' });
}

const head = ['| id | threat | defence | test | line |', '| --- | --- | --- | --- | --- |'];

function tableRow(row: ThreatRow): string {
  const { id, threat, defence, tests, line } = row;
  const held = tests.map(({ file, name }) => `\`${file}\`: ${name}`).join('<br>');
  const cells = [
    id,
    threat,
    defence,
    `${needsHost(row) ? 'host, ' : ''}${held}`,
    `\`${line.file}\`: ${code(line.find.replaceAll(/\s*\n\s*/g, ' '))}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Returns the code span of a text, with a longer fence when the text has backquotes. */
function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function numberOf({ id }: ThreatRow): number {
  return Number(id.slice(1));
}
