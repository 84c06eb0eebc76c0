import { BoundedWorker } from './boundedWorker.ts';
import type { CheckedLanguage, Syntax, SyntaxLanguage, SyntaxTree } from '#base/syntaxTree.ts';
import type { ParseRequest, TreeBounds, WorkerMessage, WorkerStart } from './parseMessages.ts';

/** The places and bounds of a parser. */
export interface SyntaxParserOptions {
  /** Absolute path of the worker's program: `dist/syntaxWorker.cjs`. */
  readonly program: string;
  /** Absolute path of the folder with the runtime and the grammars: `dist/syntax`. */
  readonly folder: string;
  /** Absolute path of the folder with the queries for declarations; that of the grammars unless given. */
  readonly tags?: string;
  /** The longest text of which a tree is made, in UTF-16 code units. */
  readonly longestText?: number;
  readonly bounds?: TreeBounds;
  /** Milliseconds that one text may take. */
  readonly timeLimit?: number;
}

/** Parses texts in one worker thread, one text after the other. */
export interface SyntaxParser extends Syntax {
  /**
   * Returns the tree of a text. Returns undefined when the text or its tree is too large, when the time is up, when the signal
   * aborts or when the worker fails: the caller must treat such a text as one that it does not understand.
   */
  parse(language: SyntaxLanguage, text: string, signal?: AbortSignal): Promise<SyntaxTree | undefined>;
  /**
   * Returns the lines (1-based) on which a text has syntax errors. Returns undefined in the cases in which `parse` does, but for texts
   * of up to 1 MiB.
   */
  errors(language: CheckedLanguage, text: string, signal?: AbortSignal): Promise<readonly number[] | undefined>;
  /** Ends the worker. The next text starts another. */
  dispose(): void;
}

/** A command line of more than 64 KiB is no command that anybody reads on a card. */
const longestCommand = 64 * 1024;
const longestFile = 1024 * 1024;
const usualBounds: TreeBounds = { nodes: 100_000, depth: 400 };
const usualTimeLimit = 2_000;
/** The grammars of C++ and C# alone take a second to load on a slow machine. */
const namesTimeLimit = 5_000;

/** Creates a parser that starts its worker with the first text. */
export function createSyntaxParser(options: SyntaxParserOptions): SyntaxParser {
  const {
    program,
    folder,
    tags = folder,
    longestText = longestCommand,
    bounds = usualBounds,
    timeLimit = usualTimeLimit,
  } = options;
  const namesLimit = options.timeLimit ?? namesTimeLimit;
  const start: WorkerStart = { folder, tags, bounds };
  const worker = new BoundedWorker<ParseRequest, WorkerMessage>({ program, data: start, timeLimit });
  return {
    async parse(language, text, signal) {
      if (text.length > longestText) return undefined;
      const answer = await worker.ask({ kind: 'tree', language, text }, signal);
      return answer?.kind === 'tree' ? answer.tree : undefined;
    },
    async errors(language, text, signal) {
      if (text.length > longestFile) return undefined;
      const answer = await worker.ask({ kind: 'errors', language, text }, signal);
      return answer?.kind === 'errors' ? answer.lines : undefined;
    },
    async declarations(language, text, signal) {
      if (text.length > longestFile) return undefined;
      const answer = await worker.ask({ kind: 'declarations', language, text }, signal, namesLimit);
      return answer?.kind === 'declarations' ? answer.symbols : undefined;
    },
    async uses(language, text, name, signal) {
      if (text.length > longestFile) return undefined;
      const answer = await worker.ask({ kind: 'uses', language, text, name }, signal, namesLimit);
      return answer?.kind === 'uses' ? answer.places : undefined;
    },
    dispose: () => worker.dispose(),
  };
}
