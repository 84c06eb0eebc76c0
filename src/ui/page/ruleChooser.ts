import type { CardActions } from './cardActions.ts';
import { element } from './element.ts';
import type { Gate } from './gate.ts';
import type { PageMessage } from './fromPage.ts';
import type { Card, CardSelection, RulePreview } from './messages.ts';
import { createRuleConfirmation, type RuleConfirmation } from './ruleConfirmation.ts';
import { createRuleMenu } from './ruleMenu.ts';

/** Approve as a split button, and what comes of its narrow half. */
export interface RuleChooser {
  readonly button: HTMLElement;
  readonly confirmation: RuleConfirmation;
  /** Another part of the change is selected. */
  draw(selection: Pick<CardSelection, 'proposalHash' | 'rules'>): void;
  /** The host tells what the rule would be that was asked for last. True when it is shown now. */
  preview(preview: RulePreview): boolean;
}

interface ChooserSurroundings {
  /** Prefix of element ids. */
  readonly prefix: string;
  readonly acts: CardActions;
  readonly gate: Gate;
  readonly send: (message: PageMessage) => void;
}

export function createRuleChooser(
  { id }: Card,
  approve: HTMLButtonElement,
  { prefix, acts, gate, send }: ChooserSurroundings,
): RuleChooser {
  let hash = '';
  let drawn = '';
  let asked: Pick<RulePreview, 'suggestion' | 'scope'> | undefined;
  const menu = createRuleMenu(`${prefix}-rules`, ({ suggestion, scope }) => {
    asked = { suggestion, scope };
    send({ type: 'previewRule', id, proposalHash: hash, ...asked });
  });
  menu.opener.classList.toggle('primary', approve.classList.contains('primary'));
  const confirmation = createRuleConfirmation(gate, {
    save: (event) => confirmation.shown && acts.approveWithRule(event, confirmation.shown),
    cancelled: () => menu.opener.focus(),
  });
  return {
    button: element('div', { class: 'split' }, approve, menu.opener, menu.menu),
    confirmation,
    draw({ proposalHash, rules }) {
      // What is shown may be a rule of files that were taken out.
      if (proposalHash !== hash) confirmation.hide();
      hash = proposalHash;
      const next = JSON.stringify(rules ?? null);
      if (next === drawn) return;
      drawn = next;
      menu.draw(rules);
    },
    preview(preview) {
      const isAsked = preview.suggestion === asked?.suggestion && preview.scope === asked.scope;
      if (!isAsked || preview.proposalHash !== hash) return false;
      confirmation.show(preview);
      return true;
    },
  };
}
