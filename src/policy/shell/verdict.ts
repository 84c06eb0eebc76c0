/**
 * What a command does: `writes` changes files, `reads` changes nothing, `runs` starts a program that may do either. From the most
 * to the least dangerous.
 */
export type CommandClass = 'writes' | 'runs' | 'reads';

/**
 * A file or folder. The path is absolute when the folder of the command line is given, and relative to that folder when it is
 * not. `anywhere` stands for a path that cannot be told.
 */
export type FileTarget = { readonly path: string } | 'anywhere';

/** What the class of a command, or of a part of it, follows from. */
export interface Judgement {
  readonly class: CommandClass;
  /** Why, as a sentence in plain English. */
  readonly reason: string;
  /** What it would write, where that can be told. */
  readonly targets: readonly FileTarget[];
  /** Scripts and manifests whose text decides what it does. */
  readonly scripts: readonly FileTarget[];
  /** The texts of scripts that stand in the command line itself. */
  readonly inlineScripts: readonly string[];
  /** True when it starts a program that takes further commands which are not in the command line. */
  readonly startsInteractive: boolean;
  /** The parts of a command line within it, such as that of `bash -c` or of a script in `package.json`. */
  readonly inner: readonly CommandPart[];
}

/** One simple command, redirection or construct of a command line. */
export interface CommandPart extends Judgement {
  /** Offsets in UTF-16 code units of the command line, or of the inner one; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The words after removal of quotes and escapes; undefined when one of them is not known. */
  readonly argv: readonly string[] | undefined;
}

/** The class of a whole command line. */
export interface CommandVerdict {
  readonly class: CommandClass;
  readonly reason: string;
  readonly parts: readonly CommandPart[];
}

const order: readonly CommandClass[] = ['writes', 'runs', 'reads'];

/** Returns the more dangerous of two classes. */
export function worse(one: CommandClass, other: CommandClass): CommandClass {
  return order.indexOf(one) <= order.indexOf(other) ? one : other;
}

/** Makes a judgement from its class and reason, and from what else is known. */
export function judged(kind: CommandClass, reason: string, more: Partial<Judgement> = {}): Judgement {
  const nothing = { targets: [], scripts: [], inlineScripts: [], startsInteractive: false, inner: [] };
  return { ...nothing, ...more, class: kind, reason };
}

/** Joins two judgements of the same part: the worse one gives the reason, the first one where they are equal. */
export function both(one: Judgement, other: Judgement): Judgement {
  const lead = worse(one.class, other.class) === one.class ? one : other;
  return {
    class: lead.class,
    reason: lead.reason,
    targets: [...one.targets, ...other.targets],
    scripts: [...one.scripts, ...other.scripts],
    inlineScripts: [...one.inlineScripts, ...other.inlineScripts],
    startsInteractive: one.startsInteractive || other.startsInteractive,
    inner: [...one.inner, ...other.inner],
  };
}

/** Returns the judgement with a class that is at least as dangerous as the given one, and the reason for that. */
export function atLeast(kind: CommandClass, reason: string, found: Judgement): Judgement {
  return worse(kind, found.class) === found.class ? found : { ...found, class: kind, reason };
}

/** Returns the verdict on a whole command line from its parts. */
export function verdictOf(parts: readonly CommandPart[], empty: string): CommandVerdict {
  for (const kind of order) {
    const part = parts.find((each) => each.class === kind);
    if (part) return { class: kind, reason: part.reason, parts };
  }
  return { class: 'runs', reason: empty, parts };
}
