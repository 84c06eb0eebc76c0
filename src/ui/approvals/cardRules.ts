import { nativeEditTool } from '#base/nativeEdit.ts';
import { plain } from '#base/visibleText.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import type { Approval, ApprovalFile, Approvals, DecisionResult } from '#changes/approval.ts';
import { wouldMatch, type PastCall } from '#policy/lint.ts';
import { openFolders } from '#policy/folderLabels.ts';
import { fold } from '#policy/nameRules.ts';
import { folderContaining } from '#policy/paths.ts';
import type { NewRule, NewRulePlace, Rules, ScopedRule } from '#policy/rules.ts';
import { allEditsRule, suggestRules, type RuleSuggestion } from '#policy/suggest.ts';
import type { KeptRule, PageApproval, Refusal, RulePreview } from '#ui/page/messages.ts';
import { isProtected } from '#ui/page/words/kindText.ts';
import type { Translate } from '#ui/page/words/translate.ts';

export interface CardRulesOptions {
  readonly approvals: Pick<Approvals, 'approvable' | 'approve' | 'isWarned'>;
  readonly rules: Rules;
  /** The calls that a rule is tried against before it is made: the last 100. */
  readonly pastCalls: () => readonly PastCall[];
  readonly folders: () => readonly WorkspaceFolder[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly t: Translate;
}

type Scope = RulePreview['scope'];

/** A rule that a card suggests. */
interface Suggestion extends RuleSuggestion {
  readonly isWide?: true;
}

/** A rule that the card showed to the user. Saving keeps exactly this rule. */
interface Previewed {
  readonly proposalHash: string;
  readonly suggestion: number;
  readonly scope: Scope;
  readonly rule: NewRule;
  readonly place: NewRulePlace;
}

/** What a page asks about a rule; it names a suggestion and never brings a rule of its own. */
type Asked = Pick<Previewed, 'proposalHash' | 'suggestion' | 'scope'>;

/** How saving a rule ended. */
export type SaveResult = { readonly decision: DecisionResult } | { readonly failure: Refusal };

/** The rules that a card suggests. A rule is saved only when the user was shown it and then clicks on Save. */
export class CardRules {
  readonly #options: CardRulesOptions;
  readonly #previewed = new Map<string, Previewed>();
  /** Rules that were made with a card and taken back, by the approval. */
  readonly #removed = new Map<string, ScopedRule>();

  constructor(options: CardRulesOptions) {
    this.#options = options;
  }

  /** Returns the rules that approving can be made of, narrowest first; undefined when the answer counts once only. */
  offers(approval: Approval): PageApproval['rules'] {
    const suggestions = this.#suggestions(approval);
    if (suggestions.length === 0) return undefined;
    return {
      offers: suggestions.map(({ covers, isWide }, suggestion) => ({
        covers,
        suggestion,
        ...(isWide && { isWide }),
      })),
      scopes: this.#scopes(approval),
    };
  }

  /** The rule that this would be; undefined when it is not offered. */
  preview(approval: Approval, { proposalHash, suggestion, scope }: Asked): RulePreview | undefined {
    const { now, pastCalls } = this.#options;
    const place = this.#place(approval, scope);
    const suggested = this.#suggestions(approval)[suggestion];
    if (proposalHash !== approval.proposalHash || place === undefined || suggested === undefined) return undefined;
    if (suggested.isWide && scope !== 'session') return undefined;
    const { credential } = approval.principal;
    const rule: NewRule = {
      ...suggested.rule,
      // A token names one program; a rule that was made for its change serves no other.
      ...(credential !== 'window' && scope !== 'session' && scope !== 'turn' && { client: credential }),
      origin: { how: 'card', at: new Date(now()).toISOString(), approvalId: approval.id },
    };
    this.#previewed.set(approval.id, { proposalHash, suggestion, scope, rule, place });
    const past = pastCalls();
    const matched = { calls: wouldMatch(rule, past), of: past.length };
    return { type: 'rulePreview', id: approval.id, proposalHash, suggestion, scope, rule, matched };
  }

  /**
   * Saves the rule that was shown, then approves. If either does not work, there is no rule and nothing is approved. A request with a
   * warning, a delete or a protected file waits on for a decision about it alone (threat row A41).
   */
  async save(approval: Approval, { proposalHash, suggestion, scope }: Asked): Promise<SaveResult> {
    const { approvals, rules } = this.#options;
    const { id } = approval;
    const shown = this.#previewed.get(id);
    const isShown = shown?.proposalHash === proposalHash && shown.suggestion === suggestion && shown.scope === scope;
    if (!isShown || this.#suggestions(approval).length === 0) return { decision: 'changed' };
    const before = approvals.approvable(id, proposalHash);
    if (before !== 'accepted') return { decision: before };
    this.#previewed.delete(id);
    try {
      const { id: ruleId } = await rules.add(shown.rule, shown.place);
      if (isDecidedAlone(approval) || approvals.isWarned(id)) return { failure: 'rule_kept' };
      const decision = approvals.approve(id, proposalHash);
      if (decision !== 'accepted') await rules.remove(ruleId);
      return { decision };
    } catch (error) {
      return { failure: { ruleNotSaved: plain(error instanceof Error ? error.message : String(error)) } };
    }
  }

  /** Returns the rule that was made with a card, also when the user removed it again. */
  saved(approvalId: string): KeptRule | undefined {
    const kept = this.savedRule(approvalId);
    if (kept !== undefined) return { rule: kept.rule, kept: true };
    const removed = this.#removed.get(approvalId);
    return removed && { rule: removed.rule, kept: false };
  }

  savedRule(approvalId: string): ScopedRule | undefined {
    return this.#options.rules.all.find(
      ({ rule: { origin } }) => origin?.how === 'card' && origin.approvalId === approvalId,
    );
  }

  async remove(approvalId: string): Promise<void> {
    const kept = this.savedRule(approvalId);
    const removed = kept && (await this.#options.rules.remove(kept.rule.id));
    if (removed !== undefined) this.#removed.set(approvalId, removed);
  }

  async restore(approvalId: string): Promise<void> {
    const removed = this.#removed.get(approvalId);
    if (removed === undefined) return;
    await this.#options.rules.restore(removed);
    this.#removed.delete(approvalId);
  }

  /** Forgets what is no longer on the page. */
  keep(ids: ReadonlySet<string>): void {
    for (const kept of [this.#previewed, this.#removed]) {
      for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    }
  }

  #suggestions(approval: Approval): readonly Suggestion[] {
    const { state, tool, files, judgement, action } = approval;
    if (action !== undefined) {
      const { onceOnly } = judgement;
      const isOffered = state === 'waiting';
      return isOffered ? suggestRules({ tool, files: [], action, judgement: { onceOnly, risk: approval.risk } }) : [];
    }
    const included = files.filter((file) => file.included);
    // Of a link a rule would have to name both ends, of a folder everything in it.
    const isPlain = included.every(({ viaLink, folderFiles }) => !viaLink && folderFiles === undefined);
    const isOnce = judgement.onceOnly || judgement.confirmCount !== undefined;
    const folder = this.#folder(approval);
    if (state !== 'waiting' || isOnce || !isPlain || folder === undefined) return [];
    // A rule names its folder, and would count for all that are called the same.
    const folders = this.#options.folders();
    const namesakes = folders.filter(({ name }) => fold(name) === fold(folder.name));
    if (namesakes.length > 1) return [];
    const changes = included.flatMap((file) =>
      realPathsOf(file).map((path) => ({
        path: folderContaining(path, [folder])?.relative ?? '',
        change: file.change,
        ...(file.protectedBy !== undefined && { protectedBy: file.protectedBy }),
      })),
    );
    const change = {
      tool,
      files: changes,
      judgement: { onceOnly: judgement.onceOnly, risk: approval.risk },
      ...((folder.worktree !== undefined || openFolders(folders).length > 1) && { folder: folder.name }),
    };
    const wide = this.#scopes(approval).includes('session') ? allEditsRule(change) : undefined;
    return [
      ...this.#usedForOwnTools(approval),
      ...suggestRules(change),
      ...(wide ? [{ rule: wide, covers: this.#options.t('all edits'), isWide: true as const }] : []),
    ];
  }

  /** Suggests the rule that would allow the edit if a tool of Drawbridge made it, as a rule for assistants' own edits. */
  #usedForOwnTools({ judgement: { unusedRule } }: Approval): readonly RuleSuggestion[] {
    const known = this.#options.rules.all.find(({ rule }) => rule.id === unusedRule?.id);
    if (known === undefined) return [];
    const { id, origin: _, ...rule } = known.rule;
    return [
      {
        rule: { ...rule, tools: [nativeEditTool] },
        covers: this.#options.t('all that your rule {0} allows', id),
      },
    ];
  }

  /** The one folder that all of a change lies in. */
  #folder({ files, action }: Approval): WorkspaceFolder | undefined {
    if (action !== undefined) {
      // What it reaches is not known, so a rule for one of several folders would be about the others too.
      const [only, ...others] = openFolders(this.#options.folders());
      return others.length === 0 ? only : undefined;
    }
    const included = files.filter((file) => file.included);
    const folders = new Set(
      included.flatMap(realPathsOf).map((path) => folderContaining(path, this.#options.folders())?.folder),
    );
    const [folder] = folders;
    return folders.size === 1 ? folder : undefined;
  }

  /** Callers that share a bare credential are different assistants, and have no session. */
  #scopes(approval: Approval): readonly Scope[] {
    const all: readonly Scope[] = [
      ...(approval.turn === undefined ? [] : ['turn' as const]),
      ...(approval.principal.connectionId === undefined ? [] : ['session' as const]),
      'workspace',
      'user',
    ];
    return all.filter((scope) => scope !== 'workspace' || this.#folder(approval) !== undefined);
  }

  #place(approval: Approval, scope: Scope): NewRulePlace | undefined {
    const { principal, client, turn } = approval;
    if (!this.#scopes(approval).includes(scope)) return undefined;
    if (scope === 'turn') return { scope: 'session', principal, client, turn: turn?.id };
    if (scope === 'session') return { scope, principal, client };
    if (scope === 'user') return { scope };
    const folder = this.#folder(approval);
    return folder && { scope, folder: folder.realPath };
  }
}

function isDecidedAlone({ risk, files }: Approval): boolean {
  return risk === 'delete' || files.some(isProtected);
}

function realPathsOf({ realPath, to }: ApprovalFile): string[] {
  return [realPath, ...(to ? [to.realPath] : [])];
}
