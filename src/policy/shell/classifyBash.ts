import type { SyntaxNode } from '#base/syntaxTree.ts';
import { type CommandContext, resolvePath, targetOf } from './context.ts';
import { readSimpleCommands, type SimpleCommand } from './simpleReading.ts';
import { atLeast, type CommandPart, type Judgement, judged } from './verdict.ts';
import { decodeWord, hasDeceivingCharacter, type Word } from './words.ts';

/** Constructs that only join commands. */
const joining: ReadonlySet<string> = new Set('program compound_statement do_group negated_command list'.split(' '));
/** Constructs whose commands may not run, so that a folder is not certain after them. */
const conditional: ReadonlySet<string> = new Set(
  'if_statement elif_clause else_clause while_statement case_item'.split(' '),
);
/** Constructs that are never reading, with why. Their commands are classified too. */
const constructs: Readonly<Record<string, string>> = {
  for_statement: 'a loop sets a variable',
  c_style_for_statement: 'a loop computes',
  case_statement: 'a case compares patterns',
  function_definition: 'a function changes what later commands do',
  declaration_command: 'a declaration changes what later commands do',
  unset_command: '`unset` changes what later commands do',
  variable_assignment: 'an assignment changes what later commands do',
  variable_assignments: 'an assignment changes what later commands do',
  test_command: 'a test in brackets is not judged',
};
/** Constructs with commands of a shell of its own, whose folder ends with it. */
const ownShell: ReadonlySet<string> = new Set('subshell command_substitution process_substitution'.split(' '));
/** The kinds of nodes that make up a literal word. Source: node-types.json of tree-sitter-bash 0.25. */
const literalKinds: ReadonlySet<string> = new Set(
  'word number string string_content raw_string concatenation command_name variable_assignment variable_name " = += $'.split(
    ' ',
  ),
);
/** Builtins after which the folder is not known, because they run what is not read here. */
const movesAnywhere: ReadonlySet<string> = new Set('popd eval source . builtin command alias exec'.split(' '));

interface Input {
  readonly hasInput: boolean;
  readonly inputText: string | undefined;
  /** Words that the grammar takes as targets of a redirection, though bash takes them as arguments. */
  readonly extra: readonly SyntaxNode[];
}

const noInput: Input = { hasInput: false, inputText: undefined, extra: [] };

/** Classifies the parts of a bash command line by its tree. */
export async function classifyBash(
  text: string,
  root: SyntaxNode,
  context: CommandContext,
): Promise<readonly CommandPart[]> {
  const walk = new BashWalk(text, context);
  await walk.visit(root, { ...noInput, hasInput: context.hasInput });
  if (root.hasError) walk.add(root, judged('runs', 'the command line is not understood as a whole'));
  if (hasDeceivingCharacter(text))
    walk.add(root, judged('runs', 'the command line holds characters that deceive the eye'));
  const simple = readSimpleCommands(text);
  if (!walk.agreesWith(simple)) {
    walk.add(root, judged('runs', 'the command line is more than simple commands with known words'));
    for (const command of simple ?? []) await walk.addHidden(command);
  }
  return walk.parts;
}

class BashWalk {
  readonly parts: CommandPart[] = [];
  readonly #text: string;
  readonly #context: CommandContext;
  readonly #commands: SimpleCommand[] = [];
  #folder: string | undefined;
  #hasFunctions = false;

  constructor(text: string, context: CommandContext) {
    this.#text = text;
    this.#context = context;
    this.#folder = context.folder;
  }

  add(node: Pick<SyntaxNode, 'start' | 'end'>, judgement: Judgement, argv?: readonly string[]): void {
    const { start, end } = node;
    this.parts.push({ ...judgement, start, end, text: this.#text.slice(start, end), argv });
  }

  /** True when the other reading sees the same simple commands with the same words. */
  agreesWith(simple: readonly SimpleCommand[] | undefined): boolean {
    const own = this.#commands.toSorted((one, other) => (one[0]?.[0] ?? 0) - (other[0]?.[0] ?? 0));
    return simple !== undefined && JSON.stringify(own) === JSON.stringify(simple);
  }

  /** Adds a command that only the other reading sees, when it writes. */
  async addHidden(command: SimpleCommand): Promise<void> {
    const words = command.map(([start, end]) => this.#text.slice(start, end));
    const judgement = await this.#context.judge(
      words.map((raw) => ({ raw, value: decodeWord(raw) })),
      { ...this.#here(noInput), folder: undefined },
    );
    const [start, end] = [command[0]?.[0] ?? 0, command.at(-1)?.[1] ?? 0];
    if (judgement.class === 'writes') this.add({ start, end }, judgement);
  }

  async visit(node: SyntaxNode, input: Input): Promise<void> {
    const before = this.#folder;
    if (!node.isNamed || node.kind === 'comment') return;
    if (node.kind === 'command') await this.#visitCommand(node, input);
    else if (node.kind === 'redirected_statement') await this.#visitRedirected(node, input);
    else if (node.kind === 'pipeline') await this.#visitPipeline(node, input);
    else if (ownShell.has(node.kind)) {
      await this.#visitAll(node, input);
      this.#folder = before;
    } else if (joining.has(node.kind)) await this.#visitAll(node, input);
    else {
      const why = constructs[node.kind];
      if (node.kind === 'function_definition') this.#hasFunctions = true;
      if (!conditional.has(node.kind))
        this.add(node, judged('runs', why ?? 'the command line has a part that is not understood'));
      await (why === undefined ? this.#visitAll(node, input) : this.#visitInner(node, input));
      if (this.#folder !== before || why !== undefined) this.#folder = this.#folder === before ? before : undefined;
    }
  }

  /** Visits statements in their order. After `||` and `&` a change of the folder is not certain. */
  async #visitAll(node: SyntaxNode, input: Input): Promise<void> {
    let before = this.#folder;
    let previous = before;
    for (const child of node.children) {
      if (child.kind === '||' && this.#folder !== before) this.#folder = undefined;
      else if (child.kind === '&') this.#folder = previous;
      else if (child.isNamed) {
        previous = this.#folder;
        before = node.kind === 'list' ? before : previous;
        await this.visit(child, input);
      }
    }
  }

  /** Visits the statements somewhere within a node, such as the substitutions within a word. */
  async #visitInner(node: SyntaxNode, input: Input): Promise<void> {
    for (const child of node.children) {
      const isStatement =
        ownShell.has(child.kind) ||
        ['command', 'pipeline', 'list', 'redirected_statement', 'compound_statement', 'do_group', 'case_item'].includes(
          child.kind,
        ) ||
        conditional.has(child.kind) ||
        (child.kind in constructs && child.kind !== 'variable_assignment');
      await (isStatement ? this.visit(child, input) : this.#visitInner(child, input));
    }
  }

  async #visitPipeline(node: SyntaxNode, input: Input): Promise<void> {
    const before = this.#folder;
    let isPiped = input.hasInput;
    for (const child of node.children) {
      if (!child.isNamed) isPiped ||= child.kind.startsWith('|');
      else await this.visit(child, { ...noInput, hasInput: isPiped, inputText: isPiped ? undefined : input.inputText });
      this.#folder = before;
    }
  }

  async #visitRedirected(node: SyntaxNode, input: Input): Promise<void> {
    const body = node.children.find(({ field }) => field === 'body');
    const redirects = node.children.filter((child) => child !== body);
    const extra = redirects.flatMap((redirect) => this.#extraWords(redirect));
    const given = this.#inputOf(redirects);
    const own = { ...input, extra: [...input.extra, ...extra] };
    if (body) await this.visit(body, given ? { ...own, ...given } : own);
    for (const redirect of redirects) await this.#visitRedirect(redirect);
  }

  /** Returns the words after the target of a redirection, which bash takes as arguments of the command. */
  #extraWords(redirect: SyntaxNode): readonly SyntaxNode[] {
    if (redirect.kind === 'file_redirect')
      return redirect.children.filter(({ field }) => field === 'destination').slice(1);
    return redirect.children
      .filter(({ field }) => field === 'argument')
      .concat(
        redirect.children.filter(({ kind }) => kind === 'file_redirect').flatMap((each) => this.#extraWords(each)),
      );
  }

  /** Returns what the redirections give as standard input; undefined when they give nothing. */
  #inputOf(redirects: readonly SyntaxNode[]): Pick<Input, 'hasInput' | 'inputText'> | undefined {
    for (const redirect of redirects.toReversed()) {
      if (redirect.kind === 'heredoc_redirect') {
        const body = redirect.children.find(({ kind }) => kind === 'heredoc_body');
        return { hasInput: true, inputText: body ? this.#text.slice(body.start, body.end) : '' };
      }
      if (redirect.kind === 'herestring_redirect') {
        const word = redirect.children.at(-1);
        return {
          hasInput: true,
          inputText: word ? (this.#word(word).value ?? this.#text.slice(word.start, word.end)) : '',
        };
      }
      if (redirect.children.some(({ kind }) => kind === '<')) return { hasInput: true, inputText: undefined };
    }
    return undefined;
  }

  async #visitRedirect(redirect: SyntaxNode): Promise<void> {
    if (redirect.kind === 'file_redirect') this.#judgeRedirect(redirect);
    if (redirect.kind === 'heredoc_redirect') {
      for (const child of redirect.children) {
        if (child.kind === 'file_redirect') this.#judgeRedirect(child);
        else if (child.kind === 'heredoc_body') await this.#visitInner(child, noInput);
        else if (child.isNamed && !child.kind.startsWith('heredoc_') && child.field !== 'argument') {
          await this.visit(child, { ...noInput, hasInput: true });
        }
      }
    } else await this.#visitInner(redirect, noInput);
  }

  /** Source: the Bash manual, "Redirections". A descriptor or `/dev/null` as the target writes no file. */
  #judgeRedirect(redirect: SyntaxNode): void {
    const operator = redirect.children.find(({ isNamed }) => !isNamed)?.kind ?? '';
    const destination = redirect.children.find(({ field }) => field === 'destination');
    const word = destination && this.#word(destination);
    const isNetwork = /^\/dev\/(?:tcp|udp)\//.test(word?.value ?? '');
    if (/^[<>]&-$/.test(operator) || (/^[<>]&$/.test(operator) && /^\d+-?$|^-$/.test(word?.value ?? ''))) return;
    if (operator === '<' || operator === '<&') {
      if (word?.value === undefined || isNetwork)
        this.add(redirect, judged('runs', 'the input is not a file that is known'));
      return;
    }
    if (/^\/dev\/(?:null|stdout|stderr|fd\/\d+)$/.test(word?.value ?? '')) return;
    const targets = [targetOf(word, this.#here(noInput))];
    this.add(redirect, judged('writes', `\`${operator}\` writes into a file`, { targets }));
  }

  async #visitCommand(node: SyntaxNode, input: Input): Promise<void> {
    const redirects = node.children.filter(({ kind }) => kind.endsWith('_redirect'));
    const extra = [...input.extra, ...redirects.flatMap((redirect) => this.#extraWords(redirect))];
    const nodes = [...node.children.filter((child) => !redirects.includes(child)), ...extra];
    const words = nodes.map((child) => this.#word(child));
    this.#commands.push(nodes.map(({ start, end }) => [start, end] as const).toSorted(([one], [other]) => one - other));
    const given = this.#inputOf(redirects);
    const judgement = await this.#context.judge(words, this.#here(given ? { ...input, ...given } : input));
    const values = words.flatMap(({ value }) => (value === undefined ? [] : [value]));
    if (values.length === words.length) this.add(node, judgement, values);
    else this.add(node, atLeast('runs', 'a word of the command is not known', judgement));
    for (const child of nodes) await this.#visitInner(child, noInput);
    for (const redirect of redirects) await this.#visitRedirect(redirect);
    this.#follow(words);
  }

  #here(input: Input): CommandContext {
    const { hasInput, inputText } = input;
    return { ...this.#context, folder: this.#hasFunctions ? undefined : this.#folder, hasInput, inputText };
  }

  /** Follows a change of the folder of this shell. Source: the Bash manual, 4.1 (`cd`). */
  #follow(words: readonly Word[]): void {
    const [name, ...rest] = words.map(({ value }) => value);
    if (name === undefined || movesAnywhere.has(name)) this.#folder = undefined;
    else if (words.some(({ raw }) => /^(?:CDPATH|HOME|OLDPWD)=/.test(raw))) this.#folder = undefined;
    else if (name !== 'cd' && name !== 'pushd') {
      // `time cd x` and the like move this shell too.
      if (rest.some((value) => value === 'cd' || value === 'pushd' || value === 'popd')) this.#folder = undefined;
    } else {
      const operands = rest.filter((value) => value === undefined || !/^-(?:L|-)$/.test(value));
      const [to] = operands;
      const isPlain = operands.length === 1 && to !== undefined && !/^[-+]/.test(to);
      this.#folder = isPlain ? resolvePath(this.#folder, to) : undefined;
    }
  }

  #word(node: SyntaxNode): Word {
    const raw = this.#text.slice(node.start, node.end);
    return { raw, value: isLiteral(node) ? decodeWord(raw) : undefined };
  }
}

/** True when all nodes of a word are of kinds that stand for literal text. */
function isLiteral(node: SyntaxNode): boolean {
  return literalKinds.has(node.kind) && !node.isMissing && node.children.every(isLiteral);
}
