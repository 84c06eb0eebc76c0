import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { auditRecord } from '#audit/auditRecord.ts';
import type { FileChange, Proposal } from '#base/proposal.ts';
import type { Risk } from '#base/toolError.ts';
import { decide, decideProposal, type Decision } from '#policy/decide.ts';
import { matchesRule } from '#policy/matching.ts';
import { ruleFields } from '#policy/ruleSchema.ts';
import { parseRule } from '#policy/ruleSchema.ts';
import { modes, ruleScopes } from '#policy/rules.ts';
import { tools } from '#tools/index.ts';
import { FakePolicy, ruleOf } from './fakes/rules.ts';
import { folderAt, FakeWorkspace } from './fakes/workspace.ts';
import { at, createOf, deleteOf, editOf, moveOf, proposalOf } from './policy/changes.ts';

const rules = readFileSync('docs/rules.md', 'utf8');
const security = readFileSync('docs/security.md', 'utf8');
const known = { tools: tools.map(({ name }) => name) };

/** The fenced examples, each with the word after `json` as its kind. */
const examples = [...rules.matchAll(/^```json ?(.*)\n([^]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));
const document = z.strictObject({ version: z.literal(1), rules: z.array(z.unknown()) });

function rulesIn(text: string): readonly unknown[] {
  const parsed: unknown = JSON.parse(text);
  const whole = document.safeParse(parsed);
  return whole.success ? whole.data.rules : [parsed];
}

/** Returns the cells of each row of the table below a heading, without the header rows. */
function tableBelow(text: string, heading: string): readonly (readonly string[])[] {
  const [, below = ''] = text.split(`\n${heading}\n`);
  const lines = /(?:^\|.*\n)+/m.exec(below)?.[0].trimEnd().split('\n') ?? [];
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const quotedIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('docs/rules.md', () => {
  it.each(
    examples
      .filter(({ kind }) => kind === '')
      .flatMap(({ text }) => rulesIn(text).map((rule) => [JSON.stringify(rule), rule] as const)),
  )('shows the valid rule %s', (_, rule) => {
    expect(parseRule(rule, known)).toEqual({ rule });
  });

  it.each(
    examples.filter(({ kind }) => kind === 'invalid').map(({ text }) => [text.trim(), JSON.parse(text)] as const),
  )('shows the invalid rule %s', (_, rule) => {
    expect(parseRule(rule, known).invalid).toBeTypeOf('string');
  });

  it('has examples of valid and of invalid rules', () => {
    expect(examples.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['', 'invalid']));
  });

  it('names every key of a rule', () => {
    const named = tableBelow(rules, '## Keys').flatMap(([key = '']) => quotedIn(key));
    expect(named.toSorted()).toEqual([...Object.keys(ruleFields), 'folder'].toSorted());
  });

  it.each(tableBelow(rules, '## Paths'))('says that %s match %s and not %s', (paths, match, others) => {
    const rule = ruleOf({ effect: 'allow', class: 'edit', paths: quotedIn(paths ?? '') });
    const matches = (path: string): boolean =>
      matchesRule(rule, {
        tool: 'apply_edit',
        principal: { credential: 'window' },
        class: 'edit',
        targets: [{ place: { folder: folderAt('/w'), fsPath: `/w/${path}`, realPath: `/w/${path}` }, class: 'edit' }],
        files: 1,
        changedLines: 1,
        now: 0,
        home: '/home/u',
      });
    const verdicts = (cell = '') => quotedIn(cell).map((path) => [path, matches(path)]);
    expect(verdicts(match)).toEqual(quotedIn(match ?? '').map((path) => [path, true]));
    expect(verdicts(others)).toEqual(quotedIn(others ?? '').map((path) => [path, false]));
  });
});

const words = { allow: 'allowed', ask: 'asks', deny: 'refused' } as const;
const situation = { workspace: new FakeWorkspace(), pathRules: { home: '/home/u', privateFolders: [] } };
const caller = { tool: 'apply_edit', principal: { credential: 'window' } };
const many = Array.from({ length: 21 }, (_, index) => `${index}.ts`);

/** The changes that each file row of the table of modes covers. */
const changesOfRow: readonly (readonly FileChange[])[] = [
  [],
  [editOf(at('.env'))],
  [editOf(at('src/a.ts')), createOf(at('src/new.ts'))],
  [editOf(at('.vscode/tasks.json')), editOf(at('AGENTS.md')), editOf(at('.github/workflows/ci.yml'))],
  [editOf(at('Makefile')), createOf(at('bin/run.sh')), editOf(at('package.json'), '{}', '{"scripts":{}}')],
  [deleteOf(at('src/a.ts'), [], 'committed'), deleteOf(at('src/old'), many.slice(1), 'committed')],
  [deleteOf(at('src/a.ts'), [], 'not_committed'), deleteOf(at('src/old'), many, 'committed')],
  [moveOf(at('a.ts'), at('b.ts')), editOf(at('a.ts'), 'one\ntwo', ''), { ...editOf(at('a.ts')), overwrites: true }],
  [editOf(at('out', '/elsewhere/x')), editOf(at('.git/config'))],
];

const question = { kind: 'question', files: [], question: 'Which?', choices: ['a'], allowsText: false } as const;
const action = {
  kind: 'action',
  files: [],
  title: 'Do',
  definition: 'do',
  arguments: [],
  places: [],
  remarks: [],
} as const;

/** The cases of the other rows: a proposal, or a call that proposes nothing. */
const otherRows: readonly { readonly risk: Risk; readonly proposal?: Proposal }[] = [
  { risk: 'execute', proposal: action },
  { risk: 'edit', proposal: action },
  { risk: 'ui' },
  { risk: 'ui', proposal: question },
];

describe('docs/security.md', () => {
  it.each(tableBelow(security, '### Modes').map(([what = '', ...cells], row) => [what, cells, row] as const))(
    'states the decision for "%s" as the policy makes it',
    (_, cells, row) => {
      const changes = changesOfRow[row] ?? [];
      const other = otherRows[row - changesOfRow.length];
      for (const [column, mode] of modes.entries()) {
        const policy = new FakePolicy();
        policy.currentMode = mode;
        const judged = { ...situation, caller, policy };
        const tool = { risk: 'edit' as const };
        const decisions: Decision[] = changes.map((change) =>
          decideProposal({ ...judged, tool, proposal: proposalOf(change) }),
        );
        const path = row === 0 ? 'src/a.ts' : row === 1 ? '.env' : undefined;
        if (path !== undefined)
          decisions.push(decide({ ...judged, risk: 'read', worksUntrusted: false, paths: [at(path)] }));
        if (other !== undefined) {
          const { risk, proposal } = other;
          decisions.push(
            proposal === undefined
              ? decide({ ...judged, risk, worksUntrusted: false, paths: [at('src/a.ts')] })
              : decideProposal({ ...judged, tool: { risk }, proposal }),
          );
        }
        expect(
          decisions.map(({ effect }) => words[effect]),
          mode,
        ).toEqual(decisions.map(() => cells[column]));
      }
    },
  );

  it('has a row for every case that this test decides', () => {
    expect(tableBelow(security, '### Modes')).toHaveLength(changesOfRow.length + otherRows.length);
  });

  it('names the steps of a decision in order', () => {
    const { explain } = decideProposal({
      ...situation,
      caller,
      policy: new FakePolicy(),
      tool: { risk: 'edit' },
      proposal: proposalOf(editOf(at('a.ts'))),
    });
    const named = [...security.matchAll(/^\d+\. `(\w+)`:/gm)].map(([, step]) => step);
    expect(named).toEqual(explain.map(({ step }) => step));
  });

  it('names every scope of rules and every event of the record', () => {
    const scopes = tableBelow(security, '### Where rules come from').flatMap(([scope = '']) => quotedIn(scope));
    expect(scopes.toSorted()).toEqual(ruleScopes.toSorted());
    const events = tableBelow(security, '## Audit').flatMap(([event = '']) => quotedIn(event));
    expect(events.toSorted()).toEqual(auditRecord.options.map(({ shape }) => shape.event.value).toSorted());
  });
});
