import { BoundedWorker } from '#syntax/boundedWorker.ts';
import type { ColourAnswer, ColourRequest, ColourStart } from './colourMessages.ts';
import {
  type Associations,
  associationsOf,
  type Colouring,
  scopeOf,
  type ThemeKind,
  themeOf,
} from './contributions.ts';

/** The theme of the editor as a page sees it. */
export interface EditorTheme {
  /** The id of the theme, which may be its label. */
  readonly id: string;
  readonly kind: ThemeKind;
}

export interface ColouredText {
  readonly theme: EditorTheme;
  /** With slashes. It tells the language. */
  readonly path: string;
  readonly text: string;
  /** The number of lines, from the first one on, whose colours are needed. */
  readonly lines: number;
}

export interface CodeColoursOptions {
  /** Absolute path of the worker's program: `dist/coloursWorker.cjs`. */
  readonly program: string;
  /** Absolute path of the folder with the regular expression engine: `dist/colours`. */
  readonly folder: string;
  /** Reads what the installed extensions contribute. */
  readonly installed: () => Colouring;
  /** The settings `editor.tokenColorCustomizations` and `files.associations`. */
  readonly settings: () => {
    readonly customizations: unknown;
    readonly associations: Readonly<Record<string, string>>;
  };
  /** Milliseconds after which the worker is ended, and after which it leaves the rest of a line or a text plain. */
  readonly limits?: { readonly worker: number; readonly line: number; readonly text: number };
}

const usualLimits = { worker: 8000, line: 500, text: 2000 };
/** Longer texts stay plain, in UTF-16 units. */
const longestText = 1024 * 1024;
/** The most texts whose colours are kept. */
const mostKept = 40;

/** The parts of the window that decide about colours. They are read once, until they change. */
interface Surroundings {
  readonly installed: Colouring;
  readonly customizations: unknown;
  readonly associations: Associations;
}

type ColourWorker = BoundedWorker<ColourRequest, ColourAnswer>;

interface Kept {
  readonly lines: number;
  readonly answer: Promise<ColourAnswer | undefined>;
}

/**
 * Colours code as the editor does, with the grammars and the themes of the installed extensions, in one worker thread that starts on
 * demand. Colours that need a language service are not among them.
 */
export class CodeColours {
  readonly #options: CodeColoursOptions;
  readonly #limits: NonNullable<CodeColoursOptions['limits']>;
  #surroundings: Surroundings | undefined;
  /** The worker has the rules of one theme. */
  #current: { readonly key: string; readonly worker: ColourWorker } | undefined;
  /** By the scope of the grammar and the text, the one that was used last at the end. */
  readonly #kept = new Map<string, Kept>();

  constructor(options: CodeColoursOptions) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
  }

  /**
   * Returns the colours of the first lines of a text, at least of as many as were asked for unless they take too long. Returns
   * undefined for a text that stays plain, because no installed extension knows its language or because it is too long.
   */
  async of({ theme, path, text, lines }: ColouredText): Promise<ColourAnswer | undefined> {
    if (text.length > longestText) return undefined;
    const surroundings = (this.#surroundings ??= this.#look());
    const scopeName = scopeOf(surroundings.installed, path, text, surroundings.associations);
    const worker = scopeName === undefined ? undefined : this.#workerOf(theme, surroundings);
    if (scopeName === undefined || worker === undefined) return undefined;
    const key = `${scopeName}\n${text}`;
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept && kept.lines >= lines) {
      this.#kept.set(key, kept);
      return kept.answer;
    }
    // A user who reads on asks for more lines. They are coloured from the first one on, so that this is not done for each few lines.
    const needed = Math.max(lines, (kept?.lines ?? 0) * 2);
    const wanted = text.split(/\r?\n/, needed);
    const answer = worker.ask({ scopeName, lines: wanted });
    this.#kept.set(key, { lines: needed, answer });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }

  /** Extensions or settings changed: the next text is coloured with what there is then. */
  changed(): void {
    this.#surroundings = undefined;
    this.dispose();
  }

  /** Ends the worker. The next text starts another. */
  dispose(): void {
    const current = this.#current;
    this.#current = undefined;
    this.#kept.clear();
    current?.worker.dispose();
  }

  #look(): Surroundings {
    const { customizations, associations } = this.#options.settings();
    return { installed: this.#options.installed(), customizations, associations: associationsOf(associations) };
  }

  /** Returns the worker of a theme; undefined when there is no such theme. */
  #workerOf({ id, kind }: EditorTheme, { installed, customizations }: Surroundings): ColourWorker | undefined {
    const key = `${kind} ${id}`;
    if (this.#current?.key === key) return this.#current.worker;
    this.dispose();
    const found = themeOf(installed, id, kind);
    if (found === undefined) return undefined;
    const { line, text, worker: timeLimit } = this.#limits;
    const data: ColourStart = {
      folder: this.#options.folder,
      grammars: installed.grammars.map(({ scopeName, path, injectTo }) => ({ scopeName, path, injectTo })),
      theme: { path: found.path, id },
      customizations,
      limits: { line, text },
    };
    const worker: ColourWorker = new BoundedWorker({ program: this.#options.program, data, timeLimit });
    this.#current = { key, worker };
    return worker;
  }
}
