/** The edits that assistants make with their own tools, as their hook hands them to a window and as the window answers. */

/** The tool name by which rules, cards and the record know these edits. */
export const nativeEditTool = 'native_edit';

/** The tool name by which rules, cards and the record know those of these edits that no card can show. */
export const nativeUnseenTool = 'native_edit_unseen';

/** Returns whether a tool name stands for edits that assistants make with their own tools. */
export function isNativeTool(tool: string): boolean {
  return tool === nativeEditTool || tool === nativeUnseenTool;
}

/** The longest wait of a call, 20 days: timers of Node end at 24.8 days, and the card stays a day longer. */
export const mostWaitSeconds = 20 * 24 * 60 * 60;

/** One file that an assistant wants to change with a tool of its own. Paths are absolute. Texts may have LF or CRLF. */
export type NativeFileEdit =
  | {
      readonly kind: 'replace';
      readonly path: string;
      /** Stands in the file byte for byte, apart from line ends: once, or at least once with `all`. */
      readonly oldText: string;
      readonly newText: string;
      readonly all: boolean;
      /** Also replaces the line end after the old text, if there is one; `wholeLines`: only where the old text begins a line. */
      readonly takesLineEnd?: boolean | 'wholeLines' | undefined;
    }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly text: string;
      /** Every line end becomes CRLF when the file already has a CRLF. */
      readonly keepsCrlf?: boolean | undefined;
    }
  | NotebookEdit
  | PatchEdit;

/** A patch in the form of Codex (`*** Begin Patch`), which may add, change, move and delete several files. */
export interface PatchEdit {
  readonly kind: 'patch';
  /** The folder that relative names in the patch start from. */
  readonly folder: string;
  readonly text: string;
  /** The absolute paths of the files that the patch names. Changes of files that are not listed do not count. */
  readonly paths: readonly string[];
}

/** An edit of one cell of a Jupyter notebook. */
export interface NotebookEdit {
  readonly kind: 'notebook';
  readonly path: string;
  readonly mode: 'replace' | 'insert' | 'delete';
  /** The id of the cell, or `cell-N` with its 0-based index. An insertion comes after it, or first when there is none. */
  readonly cell?: string | undefined;
  readonly source: string;
  /** Given for an insertion, and for a cell that becomes one of another kind. */
  readonly cellType?: 'code' | 'markdown' | undefined;
}

/**
 * The kinds of changes and texts that an assistant can write byte for byte as approved. The window itself applies a change that needs
 * a kind which the assistant does not list.
 * - `edit`, `create`, `delete`, `move`: changes of this kind. A file that is moved may be edited too.
 * - `several`: changes of several files in one call.
 * - `changed`: a call that the user changed; the assistant takes the changed input from its hook.
 * - `crlf`, `mixedLineEnds`, `noFinalLineEnd`, `utf8bom`, `utf16le`: texts of this form. `crlf`: all line ends are CRLF.
 *   `noFinalLineEnd`: also an edit that leaves nothing.
 * - `link`: a file that the call names by a link to it.
 */
export const exactWrites = [
  'edit',
  'create',
  'delete',
  'move',
  'several',
  'changed',
  'crlf',
  'mixedLineEnds',
  'noFinalLineEnd',
  'utf8bom',
  'utf16le',
  'link',
] as const;
export type ExactWrite = (typeof exactWrites)[number];

/** The fields of every call of an assistant's own tool. Everything in them is the assistant's claim. */
export interface NativeCaller {
  /**
   * - `before`: the assistant waits for the answer.
   * - `question`: the assistant is about to ask the user itself about a call that came as `before`.
   * - `after`: the call has ended.
   */
  readonly event: 'before' | 'question' | 'after';
  /** The name of the assistant, such as "Claude Code". */
  readonly assistant: string;
  /** The session of the assistant. */
  readonly session: string;
  /** The id of the call, the same in all its events; absent for an assistant whose hooks have none. */
  readonly call?: string | undefined;
  /** The settings file that started the hook, for an assistant that may run hooks of several files; absent for the usual file. */
  readonly source?: string | undefined;
  /** The assistant makes one call after the other, so that its next call shows that this one has ended. */
  readonly isSerial?: boolean | undefined;
  /** Seconds after which the assistant makes the call without an answer; a day when absent. */
  readonly waitSeconds?: number | undefined;
  /** The prompt of the user that the call works on; absent when the assistant does not say. */
  readonly turn?: string | undefined;
  /** The subagent that made the call; absent for the assistant itself. */
  readonly agent?: { readonly id: string; readonly kind: string } | undefined;
  /** The name of the assistant's own tool, such as "Edit". */
  readonly tool: string;
  /** The words in the answer to this event reach the model, although it comes after the call. */
  readonly reachesModel?: boolean | undefined;
}

/** A call of an assistant's own edit tool. */
export interface NativeCall extends NativeCaller {
  /** The number of times that the hook asked about this call before, because its file changed meanwhile; 0 when absent. */
  readonly attempt?: number | undefined;
  /** The kinds that the assistant writes exactly. Without `changed` among them, the hook only allows or denies. */
  readonly writesExactly: readonly ExactWrite[];
  readonly edits: readonly NativeFileEdit[];
}

/** A tool of an assistant that may edit files and that no adapter knows. The hook reports the tool and lets its call pass. */
export interface UnknownTool {
  readonly event: 'unknown';
  /** The name of the assistant, such as "Claude Code". */
  readonly assistant: string;
  /** The name of the tool. */
  readonly tool: string;
}

/** Returns the absolute paths that an edit names. */
export function pathsOf(edit: NativeFileEdit): readonly string[] {
  return edit.kind === 'patch' ? edit.paths : [edit.path];
}

/** A file that the assistant may write, move or delete now. */
export interface ApprovedFile {
  /** Absolute; the path before a move. */
  readonly path: string;
  readonly change: 'edit' | 'create' | 'delete';
  /** The new path of a file that is moved; it may be edited too. Absolute. */
  readonly movedTo?: string | undefined;
  /** Hex SHA-256 of the bytes that the file must still have; absent when there must be no file. */
  readonly sha256?: string | undefined;
  /** The whole text before and the approved one, without a byte order mark, with the line ends of the file. Empty after a delete. */
  readonly texts: { readonly before: string; readonly after: string };
  /** The approved text is another one than the call asked for. */
  readonly isChanged: boolean;
}

/** The answer of a window. */
export type NativeAnswer =
  /**
   * The window has no opinion: none of the files is in its folders, or the call has ended. `words` repeats, after a call, what the
   * answer to the call told its model, for assistants whose hooks tell the model nothing before a call. `news` tells the model after
   * a call what it has not been told yet.
   */
  | { readonly decision: 'none'; readonly words?: string | undefined; readonly news?: string | undefined }
  /**
   * The assistant may write exactly these files, which are a part of the call when the user left files out; `words` tells its model
   * what differs from its call. Without files, the call passes unchanged: no card can show it, or the answer is to a question.
   */
  | { readonly decision: 'allow'; readonly files: readonly ApprovedFile[]; readonly words?: string | undefined }
  /** The assistant must not write; `words` tells its model why, or that the user applied the change. */
  | { readonly decision: 'deny'; readonly words: string };
