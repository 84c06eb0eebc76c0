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

/** The stricter rules that the repository in one folder brings along. */
export interface FolderPolicy {
  readonly folder: WorkspaceFolder;
  /** Absolute path of the file. */
  readonly path: string;
  readonly rules: readonly ScopedRule[];
  /** How many `allow` rules it holds; none of them counts. */
  readonly ignored: number;
  /** Why it cannot be used; every change in the folder asks then. */
  readonly problem?: string;
  /** As it was read, for telling whether it is another one. */
  readonly text: string;
}

export interface RepositoryPolicyOptions {
  readonly workspace: Pick<Workspace, 'folders' | 'onDidChange'>;
  readonly tools: () => readonly string[];
  readonly auditLog: Pick<AuditLog, 'event'>;
}

const place = ['.drawbridge', 'policy.json'] as const;
const mostBytes = 64 * 1024;
/** Every file of a search is held against each of them, so a repository could make the window wait (threat row H16). */
const mostGlobs = 500;

/**
 * `.drawbridge/policy.json` of each folder of the window: a repository may make things stricter, and nothing else. Read whether
 * the workspace is trusted or not.
 */
export class RepositoryPolicy implements Subscription {
  readonly #options: RepositoryPolicyOptions;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: Subscription;
  readonly #changes: RuleChanges;
  /** The editor tells of a change somewhat later than an assistant could call. */
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

  /** Those that exist. */
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

/** Undefined when the folder has none. */
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
