import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeEditTool } from '#base/nativeEdit.ts';
import { principalKey } from '#base/principal.ts';
import { actionKey, changeKinds } from '#base/proposal.ts';
import { matchesRule, type RuleRequest, type RuleTarget } from '#policy/matching.ts';
import type { RuleClass, ScopedRule } from '#policy/rules.ts';
import { allEditsRule, suggestRules, type RuleSuggestion, type SuggestedFor } from '#policy/suggest.ts';
import type { RulePreview } from '#ui/page/messages.ts';
import { rulePreviewText } from '#ui/page/words/ruleText.ts';
import { english } from '#ui/page/words/translate.ts';
import { FakeApprovals } from '../../../fakes/approvals.ts';
import { folderAt } from '../../../fakes/workspace.ts';
import { dataOf } from './drawnCard.ts';

/*
 * An independent reading of the words of rules, as a user reads them. It knows nothing of the rule itself: each function takes the
 * words that the page shows, and says which requests they name.
 */

/** Splits a list of names: at ", " outside quotation marks. */
function readList(text: string): readonly string[] {
  return (text.match(/"(?:[^"\\]|\\.)*"|[^\s,"]+/g) ?? []).map(readName);
}

function readName(text: string): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}

/** Reads a glob with the words of docs/rules.md. */
function readGlob(glob: string): RegExp {
  const [, body = glob] = /^\.\/(.*)$/s.exec(glob) ?? [];
  const pieces = body.match(/\*\*\/|\*\*|\*|\?|\[.\]|./gsu) ?? [];
  const pattern = pieces
    .map((piece) => {
      if (piece === '**/') return '(?:[^/]+/)*';
      if (piece === '**') return '.+';
      if (piece === '*') return '[^/]*';
      if (piece === '?') return '[^/]';
      return RegExp.escape(piece.length === 3 && piece.startsWith('[') ? piece.slice(1, 2) : piece);
    })
    .join('');
  return new RegExp(`^${pattern}$`, 'su');
}

interface Place {
  readonly folder: string;
  /** Relative to the folder: as it is addressed, and as it really is. */
  readonly forms: readonly string[];
}

/** One call that the predicate of a sentence judges. */
interface Asked {
  readonly tool: string;
  readonly classes: readonly RuleClass[];
  readonly places: readonly Place[];
  readonly lines: number;
  readonly action?: string | undefined;
  readonly commands?: readonly (readonly string[] | undefined)[] | undefined;
}

type Said = (asked: Asked) => boolean;

const pathSaid =
  (names: readonly string[]): Said =>
  ({ places }) =>
    places.length > 0 &&
    places.every(({ folder, forms }) =>
      forms.every((form) =>
        names.some((name) => {
          const [, owner, glob = name] = /^folder:([^:]+):(.*)$/s.exec(name) ?? [];
          const isHere = owner === undefined || owner.normalize('NFC') === folder.normalize('NFC');
          return isHere && readGlob(glob.normalize('NFC')).test(form.normalize('NFC'));
        }),
      ),
    );

const readClasses: Readonly<Record<string, readonly RuleClass[]>> = {
  edits: ['edit'],
  'deletes and moves': ['delete'],
  runs: ['execute'],
};

/** Reads "Allow edits by native_edit of ./a.ts, 5 files at most, 200 changed lines at most". */
function readSentence(sentence: string): Said {
  const command = /^Allow the command (.*)$/s.exec(sentence)?.[1];
  if (command !== undefined) return commandSaid(command);
  const action = /^Allow (runs|edits): (.*)$/s.exec(sentence);
  if (action) return (asked) => asked.action === action[2];
  const parsed =
    /^Allow (edits|deletes and moves)(?: by (\S+))? of (.*?)(?:, (\d+) files at most, (\d+) changed lines at most)?$/s.exec(
      sentence,
    );
  if (parsed === null) throw new Error(`Nobody can read ${sentence}`);
  const [, kind = '', tools, paths = '', files = Infinity, lines = Infinity] = parsed;
  const inPath = paths === 'every file' ? () => true : pathSaid(readList(paths));
  return (asked) =>
    asked.action === undefined &&
    asked.commands === undefined &&
    asked.classes.every((each) => readClasses[kind]?.includes(each)) &&
    (tools === undefined || readList(tools).includes(asked.tool)) &&
    asked.places.length <= Number(files) &&
    asked.lines <= Number(lines) &&
    inPath(asked);
}

function commandSaid(text: string): Said {
  const words = readWords(text);
  const last = text.endsWith(' *');
  const fixed = last ? words.slice(0, -1) : words;
  return ({ commands = [] }) =>
    commands.length > 0 &&
    commands.every(
      (command) =>
        command !== undefined &&
        (last || command.length === fixed.length) &&
        fixed.every((word, at) => command[at] === word),
    );
}

/** Reads the words of a command as a shell does: a word that is not quoted must mean itself. */
function readWords(text: string): readonly string[] {
  const words = text.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? [];
  for (const [at, word] of words.entries()) {
    const isAny = word === '*' && at > 0 && at === words.length - 1;
    if (!isAny && !word.startsWith('"') && /[*?[\]{}$`;&|<>()'\\~#!\s]/.test(word)) {
      throw new Error(`A shell reads ${word} in another way`);
    }
  }
  return words.map(readName);
}

/** Reads the words of the menu: "edits of all *.ts files below src by apply_edit, at most 5 files and 200 lines at once". */
function readOffer(covers: string): Said {
  const command = /^the command (.*)$/s.exec(covers)?.[1] ?? / begins with (.*)$/s.exec(covers)?.[1]?.concat(' *');
  if (command !== undefined) return commandSaid(command);
  const action = /^(.*) with exactly these arguments$/s.exec(covers)?.[1];
  if (action !== undefined) return (asked) => asked.action?.startsWith(`${action} `) === true;
  const [, words = covers, files = Infinity, lines = Infinity] =
    /^(.*), at most (\d+) files and (\d+) lines at once$/s.exec(covers) ?? [];
  const inFolder = /^edits of files in (.*?)( and the folders below it)?$/s.exec(words);
  const ofKind = /^edits of all (".*?"|\S+) files(?: below (".*"|\S+))? by (\S+)$/s.exec(words);
  const exactly = /^(edits|deletes) of (.*)$/s.exec(words);
  const places: Said = (asked) => {
    const each = asked.places.flatMap(({ forms }) => forms.map((form) => form.normalize('NFC')));
    if (inFolder !== null) {
      const folder = inFolder[1] === 'the workspace folder itself' ? '' : `${readName(inFolder[1] ?? '')}/`;
      const isBelow = inFolder[2] !== undefined;
      return each.every((form) => form.startsWith(folder) && (isBelow || !form.slice(folder.length).includes('/')));
    }
    if (ofKind !== null) {
      const ending = readName(ofKind[1] ?? '').slice(1);
      const below = ofKind[2] === undefined ? '' : `${readName(ofKind[2])}/`;
      return ofKind[3] === asked.tool && each.every((form) => form.endsWith(ending) && form.startsWith(below));
    }
    return each.every((form) => readList(exactly?.[2] ?? '').includes(form));
  };
  const kind: RuleClass = exactly?.[1] === 'deletes' ? 'delete' : 'edit';
  return (asked) =>
    asked.action === undefined &&
    asked.classes.every((one) => one === kind) &&
    asked.places.length <= Number(files) &&
    asked.lines <= Number(lines) &&
    places(asked);
}

/* Requests and the rules that are offered for them. */

const web = folderAt('/w/web', { name: 'web' });
const api = folderAt('/w/api', { name: 'api' });
const strange = [
  'a',
  'b',
  'B',
  'é',
  'é',
  'a, b',
  'a,b',
  'x, 5 files at most',
  'c by apply_edit',
  'every file',
  'my file',
  '"q"',
  '[id]',
  '*',
  '!n',
  '{a,b}',
  'the workspace folder itself',
  'a and the folders below it',
  'no\u00a0break',
  'no<U+00A0>break',
  '.git',
];
const name = fc
  .tuple(fc.constantFrom(...strange), fc.constantFrom('', '', '.ts', '.md', '.t s', '.*'))
  .map((parts) => parts.join(''));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const toolName = fc.constantFrom('apply_edit', 'create_file', nativeEditTool, 'native_edit_unseen');

const wordsOfShells = [
  'npm',
  'git',
  'run',
  'push',
  'test',
  '*',
  'a b',
  "it's",
  '"',
  '\\',
  '$HOME',
  '&&',
  ';rm',
  '-f',
  '',
];
const word = fc.constantFrom(...wordsOfShells, '<U+200B>', '\u200b', '~', '>x', '(', '\n');
const line = fc.array(word, { minLength: 1, maxLength: 5 });
const argument = fc.oneof(fc.constantFrom('x', '\u200b', '<U+200B>', ' ', '\n', '["x"]'), fc.integer());
const action = fc.record({
  definition: fc.constantFrom('editor.fold', 'editor.fold []', 'git.push', 'a\u200bb'),
  arguments: fc.array(argument, { maxLength: 2 }),
});

const changeRequest = fc
  .record({
    tool: toolName,
    paths: fc.uniqueArray(path, { minLength: 1, maxLength: 4 }),
    change: fc.constantFrom(...changeKinds),
    several: fc.boolean(),
  })
  .map(({ tool, paths, change, several }): SuggestedFor => ({
    tool,
    files: paths.map((each) => ({ path: each, change })),
    judgement: { onceOnly: false, risk: change === 'delete' || change === 'move' ? 'delete' : 'edit' },
    ...(several && { folder: 'web' }),
  }));

/** Returns every rule that a card offers for a request, and the words of its entry in the menu. */
function offered(request: SuggestedFor): readonly RuleSuggestion[] {
  const wide = allEditsRule(request);
  const words = request.folder === undefined ? 'every file' : '';
  return [...suggestRules(request), ...(wide && words !== '' ? [{ rule: wide, covers: words }] : [])];
}

const scopes = ['turn', 'session', 'workspace', 'user'] as const;
const caller = { credential: 'window', connectionId: 'one' };
const card = dataOf(new FakeApprovals().add({ id: 'a' }));

function wordsOf(rule: RuleSuggestion['rule'], scope: RulePreview['scope']) {
  return rulePreviewText(
    { type: 'rulePreview', id: 'a', proposalHash: '', suggestion: 0, scope, rule, matched: { calls: 0, of: 0 } },
    card,
    english,
  );
}

/** Returns a rule as it is in force when it was saved for the first folder by one assistant. */
function inForce({ rule }: RuleSuggestion, scope: RulePreview['scope']): ScopedRule {
  const named = { ...rule, id: 'r-1' };
  if (scope === 'workspace') return { scope, rule: named, folder: web.realPath };
  if (scope === 'user') return { scope, rule: named };
  return { scope: 'session', rule: named, principal: principalKey(caller) };
}

/** Reads the second line of a preview, for the assistant and the folder of the card. */
function readReach(reach: string): (request: RuleRequest) => boolean {
  if (reach.startsWith('In this workspace, for every assistant')) {
    return ({ targets }) => targets.every(({ place }) => place.folder === web);
  }
  if (reach.startsWith('In every workspace, for every assistant')) return () => true;
  return ({ principal }) => principalKey(principal) === principalKey(caller);
}

const target = (place: Place & { readonly owner: typeof web }, kind: RuleClass, isRuleable: boolean): RuleTarget => ({
  place: {
    folder: place.owner,
    fsPath: `${place.owner.fsPath}/${place.forms[0] ?? ''}`,
    realPath: `${place.owner.realPath}/${place.forms.at(-1) ?? ''}`,
  },
  class: kind,
  ...(isRuleable && { isRuleable }),
});

/** Paths near those of a request: the same, parts of them, neighbours, what is below, another spelling. */
function near(paths: readonly string[]): fc.Arbitrary<string> {
  const known = fc.constantFrom(...paths);
  return fc.oneof(
    { weight: 6, arbitrary: known },
    known.map((each) => each.split('/').at(-1) ?? ''),
    known.map((each) => each.toUpperCase()),
    fc.tuple(known, name).map(([each, below]) => `${each}/${below}`),
    fc.tuple(known, name).map(([each, other]) => [...each.split('/').slice(0, -1), other].join('/')),
    fc.tuple(known, fc.nat(9)).map(([each, at]) => each.split(', ')[at % 2] ?? each),
    fc.tuple(known, known).map(([one, other]) => `${one}, ${other}`),
    path,
  );
}

const classes = fc.constantFrom<RuleClass>('edit', 'delete', 'execute', 'read', 'network');

interface Tried {
  readonly asked: Asked;
  readonly request: RuleRequest;
}

/** Requests of a tool that changes files. */
function triedChanges({ tool: own, files }: SuggestedFor): fc.Arbitrary<Tried> {
  const paths = files.map((file) => file.path);
  const usual: RuleClass = files[0]?.change === 'delete' ? 'delete' : 'edit';
  const place = fc.record({
    owner: fc.constantFrom(web, web, web, api),
    forms: fc.oneof({ weight: 5, arbitrary: near(paths).map((each) => [each]) }, fc.tuple(near(paths), near(paths))),
    kind: fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, classes),
    isRuleable: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  return fc
    .record({
      tool: fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, toolName),
      places: fc.oneof(
        { weight: 4, arbitrary: fc.array(place, { minLength: 1, maxLength: 2 }) },
        fc.array(place, { maxLength: 7 }),
      ),
      lines: fc.constantFrom(1, 200, 201),
      connectionId: fc.constantFrom('one', 'two'),
    })
    .map(({ tool, places, lines, connectionId }) => ({
      asked: {
        tool,
        classes: places.map(({ kind }) => kind),
        places: places.map(({ owner, forms }) => ({ folder: owner.name, forms })),
        lines,
      },
      request: {
        tool,
        principal: { credential: 'window', connectionId },
        class: 'edit',
        // A change of a protected file has a second target for the same file (`targetsOf` in src/policy/subject.ts).
        targets: places.flatMap(({ owner, forms, kind, isRuleable }) => {
          const at = { folder: owner.name, forms, owner };
          return [target(at, kind, isRuleable), ...(isRuleable ? [target(at, 'config', true)] : [])];
        }),
        files: places.length,
        changedLines: lines,
        now: 0,
        home: '/home/u',
      },
    }));
}

/** Requests to run something. */
function triedActions({ arguments: given, definition }: { definition: string; arguments: unknown }, words: string[]) {
  const known = fc.constantFrom(...[JSON.stringify(words)].map(() => words));
  const command = fc.oneof(
    known,
    line,
    fc.tuple(known, line).map(([one, more]) => [...one, ...more]),
    known.map((one) => one.flatMap((each) => each.split(' '))),
  );
  return fc
    .record({
      action: fc.oneof(fc.constant({ definition, arguments: given }), action),
      commands: fc.option(fc.array(fc.option(command, { nil: undefined }), { minLength: 1, maxLength: 2 }), {
        nil: undefined,
      }),
      connectionId: fc.constantFrom('one', 'two'),
    })
    .map(({ action: called, commands, connectionId }): Tried => {
      const key = actionKey(called);
      return {
        asked: { tool: 'run_command', classes: ['execute'], places: [], lines: 0, action: key, commands },
        request: {
          tool: 'run_command',
          principal: { credential: 'window', connectionId },
          class: 'execute',
          targets: [],
          files: 1,
          changedLines: 0,
          action: key,
          ...(commands && { commands }),
          onlyFolder: web.realPath,
          now: 0,
          home: '/home/u',
        },
      };
    });
}

/** Fails when a rule allows a request that its words, on the card or in its preview, do not say. */
function expectSaid(suggestion: RuleSuggestion, scope: RulePreview['scope'], { asked, request }: Tried): void {
  if (!matchesRule(inForce(suggestion, scope), request)) return;
  const { sentence, reach } = wordsOf(suggestion.rule, scope);
  const about = `${sentence} | ${suggestion.covers} | ${JSON.stringify(asked)}`;
  expect(readSentence(sentence)(asked), about).toBe(true);
  expect(readReach(reach)(request), `${reach} | ${about}`).toBe(true);
  if (suggestion.covers === 'every file') return;
  expect(readOffer(suggestion.covers)(asked), about).toBe(true);
}

describe('the rules that a card offers', () => {
  const scope = fc.constantFrom(...scopes);

  it('A49: allow no change of files that their words do not say', () => {
    const generated = changeRequest.chain((request) =>
      fc.record({
        request: fc.constant(request),
        scope,
        tried: fc.array(triedChanges(request), { minLength: 1, maxLength: 6 }),
      }),
    );
    let allowed = 0;
    fc.assert(
      fc.property(generated, ({ request, scope: at, tried }) => {
        for (const suggestion of offered(request)) {
          for (const each of tried) {
            expectSaid(suggestion, at, each);
            if (matchesRule(inForce(suggestion, at), each.request)) allowed += 1;
          }
        }
      }),
      { numRuns: 80 },
    );
    expect(allowed).toBeGreaterThan(10);
  });

  it('A49: allow no action and no command that their words do not say', () => {
    const generated = fc.tuple(action, line).chain(([called, words]) =>
      fc.record({
        called: fc.constant(called),
        words: fc.constant(words),
        isCommand: fc.boolean(),
        scope,
        tried: fc.array(triedActions(called, words), { minLength: 1, maxLength: 6 }),
      }),
    );
    let allowed = 0;
    fc.assert(
      fc.property(generated, ({ called, words, isCommand, scope: at, tried }) => {
        const part = { text: words.join(' '), class: 'runs', reason: '', words } as const;
        const suggestions = suggestRules({
          tool: 'run_command',
          files: [],
          judgement: { onceOnly: false, risk: 'execute' },
          action: isCommand
            ? { ...called, command: { text: words.join(' '), class: 'runs', parts: [part], scripts: [] } }
            : called,
        });
        for (const suggestion of suggestions) {
          for (const each of tried) {
            expectSaid(suggestion, at, each);
            if (matchesRule(inForce(suggestion, at), each.request)) allowed += 1;
          }
        }
      }),
      { numRuns: 80 },
    );
    expect(allowed).toBeGreaterThan(10);
  });

  it('A49: quote a name or a word that a list or a command line would be read with in another way', () => {
    const of = (files: string[]) =>
      suggestRules({
        tool: 'apply_edit',
        files: files.map((each) => ({ path: each, change: 'edit' })),
        judgement: { onceOnly: false, risk: 'edit' },
      }).map(({ rule, covers }) => [covers, wordsOf(rule, 'user').sentence]);
    expect(of(['a, b.ts'])).toEqual([
      ['edits of "a, b.ts"', 'Allow edits of "./a, b.ts"'],
      [
        'edits of files in the workspace folder itself, at most 5 files and 200 lines at once',
        'Allow edits of ./*, 5 files at most, 200 changed lines at most',
      ],
      [
        'edits of all *.ts files by apply_edit, at most 5 files and 200 lines at once',
        'Allow edits by apply_edit of ./**/*.ts, 5 files at most, 200 changed lines at most',
      ],
    ]);
    expect(of(['no\u00a0break.ts']).map(([covers]) => covers)).toEqual([
      'edits of files in the workspace folder itself, at most 5 files and 200 lines at once',
      'edits of all *.ts files by apply_edit, at most 5 files and 200 lines at once',
    ]);
  });
});
