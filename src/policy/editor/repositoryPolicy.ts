import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditLog } from '#audit/auditLog.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { Workspace, WorkspaceFolder } from '#base/workspace.ts';
import { parseGlob } from '../pathGlob.ts';
import type { ScopedRule } from '../rules.ts';
import { askingRules } from './askingRules.ts';
import { oncePerTurn } from './oncePerTurn.ts';
import { RuleChanges } from './ruleChanges.ts';
import { parseRulesDocument } from './rulesDocument.ts';
import { readSmallFile, stampOf } from './smallFile.ts';
import { readStrictRules } from './strictRules.ts';

/** The stricter rules of the repository in one folder. */
export interface FolderPolicy {
  readonly folder: WorkspaceFolder;
  /** Absolute path of the file. */
  readonly path: string;
  readonly rules: readonly ScopedRule[];
  /** The number of `allow` rules in the file; all of them are ignored. */
  readonly ignored: number;
  /** Why the file cannot be used; every change in the folder then asks. */
  readonly problem?: string;
  /** The text as it was read, to detect changes. */
  readonly text: string;
}

export interface RepositoryPolicyOptions {
  readonly workspace: Pick<Workspace, 'folders' | 'onDidChange'>;
  readonly tools: () => readonly string[];
  readonly auditLog: Pick<AuditLog, 'event'>;
}

const place = ['.drawbridge', 'policy.json'] as const;
const mostBytes = 64 * 1024;
/** The most paths of one policy: a search matches each file against all, which could block the window (threat row H16). */
const mostGlobs = 500;

/**
 * The policy in `.drawbridge/policy.json` of each folder of the window. A repository can only make things stricter, so the file is
 * read whether the workspace is trusted or not.
 */
export class RepositoryPolicy implements Subscription {
  readonly #options: RepositoryPolicyOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: Subscription;
  readonly #changes: RuleChanges;
  /** Checks the files itself, since the editor reports a change later than an assistant could call. */
  readonly #look = oncePerTurn(() => {
    if (this.#stamp !== this.#stampNow()) this.#read();
  });
  #watchers: readonly Subscription[] = [];
  #folders: readonly FolderPolicy[] = [];
  #rules: readonly ScopedRule[] = [];
  #stamp = '';
  #state = '';

  constructor(options: RepositoryPolicyOptions) {
    this.#options = options;
    this.#changes = new RuleChanges(options.auditLog, []);
    this.#subscription = options.workspace.onDidChange(() => this.#watch());
    this.#watch();
  }

  /** The policies of the folders that have one. */
  get folders(): readonly FolderPolicy[] {
    this.#look();
    return this.#folders;
  }

  get rules(): readonly ScopedRule[] {
    this.#look();
    return this.#rules;
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const watcher of this.#watchers) watcher.dispose();
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = this.#options.workspace.folders().map(({ uri }) => {
      const pattern = new vscode.RelativePattern(vscode.Uri.parse(uri), place.join('/'));
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const read = (): void => this.#read();
      return vscode.Disposable.from(
        watcher,
        watcher.onDidCreate(read),
        watcher.onDidChange(read),
        watcher.onDidDelete(read),
      );
    });
    this.#read();
  }

  #stampNow(): string {
    return this.#options.workspace
      .folders()
      .map(({ realPath }) => stampOf(join(realPath, ...place), { followsLink: false }))
      .join('\n');
  }

  #read(): void {
    this.#stamp = this.#stampNow();
    const tools = this.#options.tools();
    const folders = this.#options.workspace.folders().flatMap((folder) => readFolderPolicy(folder, tools) ?? []);
    const state = JSON.stringify(folders);
    if (state === this.#state) return;
    this.#state = state;
    this.#folders = folders;
    this.#rules = folders.flatMap(({ rules }) => rules);
    this.#changes.record(
      this.#rules.map((scoped) => ({ id: scoped.rule.id, scope: scoped.scope, text: JSON.stringify(scoped) })),
    );
    this.#changed.fire();
  }
}

/** Returns the policy of a folder; undefined when it has none. */
export function readFolderPolicy(folder: WorkspaceFolder, tools: readonly string[]): FolderPolicy | undefined {
  const path = join(folder.realPath, ...place);
  let text = '';
  try {
    const read = readSmallFile(path, { mostBytes, followsLink: false });
    if (read === undefined) return undefined;
    text = read;
    if (realpathSync.native(path) !== path) throw new Error('It, or its folder, is a link.');
    const { rules: written } = parseRulesDocument(JSON.parse(text));
    const { rules, ignored } = readStrictRules(written, tools, 'repository');
    if (countGlobs(rules) > mostGlobs) throw new Error(`Its rules name more than ${mostGlobs} paths. Name fewer.`);
    return { folder, path, rules: rules.map((rule) => ({ ...rule, folder: folder.realPath })), ignored, text };
  } catch (error) {
    const problem = `${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    return {
      folder,
      path,
      rules: askingRules('repository', problem, { folder: folder.realPath }),
      ignored: 0,
      problem,
      text,
    };
  }
}

/** A glob counts once for each choice of the `{a,b}` in it. */
function countGlobs(rules: readonly ScopedRule[]): number {
  const globs = rules.flatMap(({ rule }) => rule.paths ?? []);
  return globs.reduce((sum, glob) => sum + parseGlob(glob, 'widened').alternatives.length, 0);
}
