import type { AuditLog } from '#audit/auditLog.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { Workspace } from '#base/workspace.ts';
import { SharedFile } from '#home/sharedFile.ts';
import { parseRule } from '../ruleSchema.ts';
import type { NewRule, NewRulePlace, Rule, RuleReference, RuleUse, Rules, ScopedRule } from '../rules.ts';
import { askingRules } from './askingRules.ts';
import { folderIdentity, isSameIdentity } from './folderIdentity.ts';
import { oncePerTurn } from './oncePerTurn.ts';
import { RuleChanges, type WrittenRule } from './ruleChanges.ts';
import { RuleUses } from './ruleUses.ts';
import {
  identified,
  type IdentifiedRule,
  newRuleId,
  noRules,
  parseRulesDocument,
  type RulesDocument,
} from './rulesDocument.ts';
import { SessionRules } from './sessionRules.ts';
import { readUserRule, type RuleFolder, writeUserRule, type WrittenUserRule } from './writtenRules.ts';

export interface RulesFileOptions {
  /** The state folder of this user. */
  readonly home: string;
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  readonly workspace: Pick<Workspace, 'folders' | 'onDidChange'>;
  /** Names of the tools that a rule may name. */
  readonly tools: () => readonly string[];
  readonly onError: (error: unknown) => void;
}

/**
 * The rules of this user, those of the folders of this window, and those of the sessions in it (docs/rules.md).
 * The first two are in one file that all windows share and the user may edit.
 */
export class RulesFile implements Rules, Subscription {
  readonly #options: RulesFileOptions;
  readonly #file: SharedFile<RulesDocument>;
  readonly #uses: RuleUses;
  readonly #session: SessionRules;
  readonly #changes: RuleChanges;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: Subscription[];
  /** Removed rules as written, so that a rule that is not valid can be restored too. */
  readonly #removed = new Map<string, unknown>();
  /** Checks for changes by another window or the user, and for replaced folders, so that they apply at once. */
  readonly #look = oncePerTurn(() => {
    this.#file.latest();
    if (this.#identities !== this.#identitiesNow()) this.#refresh();
  });
  #all: readonly ScopedRule[] = [];
  #state = '';
  #identities = '';
  #wasRead = false;

  /** @throws when the state folder cannot be made private */
  constructor(options: RulesFileOptions) {
    this.#options = options;
    const { home, clock, workspace, onError } = options;
    this.#file = new SharedFile({ home, name: 'rules.json', parse: parseRulesDocument, empty: noRules, onError });
    this.#uses = new RuleUses({ home, clock, onError });
    this.#session = new SessionRules(clock);
    this.#changes = new RuleChanges(options.auditLog, this.#written());
    this.#refresh();
    this.#subscriptions = [
      ...[this.#file, this.#uses, this.#session, workspace].map((source) => source.onDidChange(() => this.#refresh())),
      this.#uses,
      this.#session,
      { dispose: () => this.#file.dispose() },
    ];
  }

  get all(): readonly ScopedRule[] {
    this.#look();
    return this.#all;
  }

  /** Absolute path of the file; it may not exist yet. */
  get path(): string {
    return this.#file.path;
  }

  /** Why the file cannot be used, for display; its allow rules then do not apply. */
  get problem(): string | undefined {
    this.#look();
    return this.#file.problem;
  }

  use(id: string): RuleUse {
    const { hits, last } = this.#uses.get(id);
    return { hits, ...(last !== undefined && { last }) };
  }

  /** Records that a rule of any scope decided a call. */
  used({ id, scope }: RuleReference): void {
    this.#uses.count(id, scope === 'user' || scope === 'workspace');
  }

  /** Returns the name and version that the assistant of a session rule reports. */
  clientOf(id: string): ClientInfo | undefined {
    return this.#session.clientOf(id);
  }

  async add(rule: NewRule, place: NewRulePlace): Promise<RuleReference> {
    const at = new Date(this.#options.clock.now()).toISOString();
    const complete: Rule = { id: newRuleId(), origin: { how: 'editor', at }, ...rule };
    const { invalid } = parseRule(complete, { tools: this.#options.tools() });
    if (invalid !== undefined) throw new Error(invalid);
    if (place.scope === 'session') {
      this.#session.add(complete, place);
    } else {
      const folder = place.scope === 'workspace' ? this.#folderAt(place.folder) : undefined;
      await this.#append(folder === undefined ? complete : { ...complete, folder });
    }
    return { id: complete.id, scope: place.scope };
  }

  async remove(id: string): Promise<ScopedRule | undefined> {
    const ofSession = this.#session.remove(id);
    if (ofSession !== undefined) return ofSession;
    let removed: IdentifiedRule | undefined;
    await this.#file.update((document) => {
      const rules = identified(document.rules);
      removed = rules.find((rule) => rule.id === id);
      return removed === undefined
        ? document
        : { ...document, rules: rules.flatMap((rule) => (rule === removed ? [] : [rule.written])) };
    });
    if (removed === undefined) return undefined;
    this.#removed.set(id, removed.written);
    return this.#read(removed).scoped;
  }

  async restore(scoped: ScopedRule): Promise<void> {
    if (scoped.scope === 'session') return this.#session.restore(scoped);
    const { id } = scoped.rule;
    const removed = this.#removed.get(id);
    if (removed !== undefined) {
      this.#removed.delete(id);
      return this.#append(removed).catch((error: unknown) => {
        this.#removed.set(id, removed);
        throw error;
      });
    }
    if (this.#all.some(({ rule }) => rule.id === id)) return;
    await this.#append(
      writeUserRule(scoped, scoped.scope === 'workspace' ? this.#folderAt(scoped.folder ?? '') : undefined),
    );
  }

  /** Renews a rule: it applies for another 30 days without use, and an expiry that has passed is extended. */
  async renew(id: string): Promise<void> {
    const now = this.#options.clock.now();
    await this.#file.update((document) => ({
      ...document,
      rules: identified(document.rules).map((rule) =>
        rule.id === id ? withLaterEnd(rule.written, now) : rule.written,
      ),
    }));
    this.#uses.begin(id);
    await this.#uses.flush();
  }

  /** Creates the file when there is none, so that it can be opened. */
  async ensureFile(): Promise<void> {
    if (this.problem === undefined) await this.#file.update(({ ...document }) => document);
  }

  /** Ends the session rules of an access token that was revoked. */
  endCredential(credential: string): void {
    this.#session.endCredential(credential);
  }

  /** Ends the rules that were made for another turn of a principal than the present one. */
  endTurns(principal: Principal, present: string): void {
    this.#session.endTurns(principal, present);
  }

  /** Ends the session rules of a principal whose session is closed. */
  endPrincipal(principal: Principal): void {
    this.#session.endPrincipal(principal);
  }

  /** Writes the use counts that are kept in memory. */
  flush(): Promise<void> {
    return this.#uses.flush();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #append(written: unknown): Promise<void> {
    await this.#file.update((document) => ({ ...document, rules: [...document.rules, written] }));
  }

  #folderAt(realPath: string): RuleFolder {
    const folder = this.#options.workspace.folders().find((each) => each.realPath === realPath);
    const identity = folderIdentity(realPath);
    if (folder === undefined || identity === undefined) {
      throw new Error(`${realPath} is not a folder of this window. Open it and try again.`);
    }
    return { uri: folder.uri, realPath, identity };
  }

  #refresh(): void {
    this.#identities = this.#identitiesNow();
    this.#wasRead ||= this.#file.problem === undefined;
    const all = [...this.#session.all, ...this.#rulesOfFile()];
    const state = JSON.stringify([all, this.#file.problem]);
    this.#changes.record(this.#written());
    if (state === this.#state) return;
    [this.#all, this.#state] = [all, state];
    this.#changed.fire();
  }

  /** Fails closed: while the file cannot be used, its last deny and ask rules apply, and everything else asks. */
  #rulesOfFile(): readonly ScopedRule[] {
    const { problem } = this.#file;
    const rules = identified(this.#file.value.rules).flatMap((each): ScopedRule[] => {
      const { scoped, folder } = this.#read(each);
      return folder !== undefined && !this.#isOpen(folder) ? [] : [this.#aged(scoped)];
    });
    if (problem === undefined) return rules;
    const strict = rules.filter(({ rule, invalid }) => rule.effect !== 'allow' || invalid !== undefined);
    return [...strict, ...askingRules('user', problem, { reads: !this.#wasRead })];
  }

  /** Reads one rule. A second rule with the same id is marked as invalid, unless it denies: which one was meant is unknown. */
  #read({ id, written, isTwin }: IdentifiedRule): WrittenUserRule {
    const { scoped, ...rest } = readUserRule(written, this.#options.tools());
    const isUnclear = isTwin && scoped.rule.effect !== 'deny' && scoped.invalid === undefined;
    const invalid = isUnclear ? `Another rule has the id ${scoped.rule.id}. Give this one another.` : scoped.invalid;
    const rule = { ...scoped.rule, id };
    return { ...rest, scoped: { ...scoped, rule, ...(invalid !== undefined && { invalid }) } };
  }

  #aged(scoped: ScopedRule): ScopedRule {
    if (!endsUnused(scoped)) return scoped;
    const { id, origin } = scoped.rule;
    const { last, since } = this.#uses.get(id);
    const times = [last, since, origin?.at].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
    return withUnusedEnd(scoped, times.length === 0 ? this.#firstSeen(id) : Math.max(...times));
  }

  /** Records when a rule without a date was first seen. */
  #firstSeen(id: string): number {
    queueMicrotask(() => this.#uses.begin(id));
    return this.#options.clock.now();
  }

  #isOpen({ uri, realPath, identity }: RuleFolder): boolean {
    return this.#options.workspace.folders().some((folder) => {
      const now = folder.realPath === realPath && folder.uri === uri ? folderIdentity(realPath) : undefined;
      return now !== undefined && (identity === undefined || isSameIdentity(identity, now));
    });
  }

  #identitiesNow(): string {
    return this.#options.workspace
      .folders()
      .map(({ realPath }) => folderIdentity(realPath) ?? '')
      .join('\n');
  }

  #written(): readonly WrittenRule[] {
    const ofSession = this.#session.all.map(
      ({ rule }) => ({ id: rule.id, scope: 'session', text: JSON.stringify(rule) }) as const,
    );
    const ofFile = identified(this.#file.value.rules).map(({ id, written }) => ({
      id,
      scope: readUserRule(written, this.#options.tools()).scoped.scope,
      text: JSON.stringify(written),
    }));
    return [...ofSession, ...ofFile];
  }
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const unusedDays = 30;

/** How long an allow rule of the user applies without being used (threat row F17). */
export const unusedMilliseconds = unusedDays * dayMilliseconds;

/** Returns true for a rule that ends by itself when it is unused: an allow rule for every folder. */
function endsUnused({ rule, scope, invalid }: ScopedRule): boolean {
  return scope === 'user' && rule.effect === 'allow' && invalid === undefined;
}

/**
 * Returns the rule with the expiry that it has when it stays unused, in whole days, so that the rules do not change with each use.
 * @param lastNeeded time when it was made, renewed or used, in milliseconds since the epoch
 */
function withUnusedEnd(scoped: ScopedRule, lastNeeded: number): ScopedRule {
  const { rule } = scoped;
  const end = (Math.floor(lastNeeded / dayMilliseconds) + unusedDays + 1) * dayMilliseconds;
  const isSooner = rule.expires !== undefined && Date.parse(rule.expires) < end;
  return isSooner ? scoped : { ...scoped, rule: { ...rule, expires: new Date(end).toISOString() } };
}

/** Returns a written rule with a later expiry when its own has passed. */
function withLaterEnd(written: unknown, now: number): unknown {
  if (typeof written !== 'object' || written === null || !('expires' in written)) return written;
  const isOver = typeof written.expires === 'string' && Date.parse(written.expires) <= now;
  return isOver ? { ...written, expires: new Date(now + unusedMilliseconds).toISOString() } : written;
}
