import { drawnButton } from './cardParts.ts';
import { element } from './element.ts';
import type { Gate } from './gate.ts';
import type { RulePreview } from './messages.ts';

/** Shows the rule that would be made, exactly, and waits for the click that makes it. */
export interface RuleConfirmation {
  readonly region: HTMLElement;
  readonly saveButton: HTMLElement;
  /** What is shown now. */
  readonly shown: RulePreview | undefined;
  show(preview: RulePreview): void;
  hide(): void;
}

export interface RuleConfirmationEvents {
  readonly save: (event: Event) => void;
  /** The user does not want it. */
  readonly cancelled: () => void;
}

/** @param gate lets the button that saves work only when Approve does */
export function createRuleConfirmation(gate: Gate, { save, cancelled }: RuleConfirmationEvents): RuleConfirmation {
  let shown: RulePreview | undefined;
  const sentence = element('p', { class: 'sentence' });
  const reach = element('p', {});
  const matches = element('p', {});
  const summary = element('summary', {});
  const json = element('pre', { tabindex: '0' });
  const saveButton = drawnButton({ text: '', label: '' }, save);
  saveButton.classList.add('primary');
  gate.guard(saveButton, true);
  const cancel = (): void => {
    view.hide();
    cancelled();
  };
  const cancelButton = drawnButton({ text: '', label: '' }, cancel);
  const parts = [
    sentence,
    reach,
    matches,
    element('details', { class: 'more-about' }, summary, json),
    element('div', { class: 'buttons' }, saveButton, cancelButton),
  ];
  const region = element('div', { class: 'rule', role: 'group', tabindex: '-1', hidden: '' });
  region.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    cancel();
    event.preventDefault();
    event.stopPropagation();
  });
  const view: RuleConfirmation = {
    region,
    saveButton,
    get shown() {
      return shown;
    },
    show(preview) {
      shown = preview;
      region.setAttribute('aria-label', preview.label);
      sentence.textContent = preview.sentence;
      reach.textContent = preview.reach;
      matches.textContent = preview.matches;
      summary.textContent = preview.json.text;
      json.textContent = preview.json.value;
      for (const [button, words] of [
        [saveButton, preview.save],
        [cancelButton, preview.cancel],
      ] as const) {
        button.textContent = words.text;
        button.setAttribute('aria-label', words.label);
      }
      region.replaceChildren(...parts);
      region.hidden = false;
      region.focus({ preventScroll: true });
      region.scrollIntoView({ block: 'nearest' });
    },
    hide() {
      shown = undefined;
      region.hidden = true;
      region.replaceChildren();
    },
  };
  return view;
}
