import type { Drafts } from './drafts.ts';
import { drawnParts, element } from './element.ts';
import type { Answer } from './fromPage.ts';
import type { CardQuestion } from './messages.ts';

/** The assistant's question with its answers. */
export interface QuestionForm {
  readonly element: HTMLElement;
  /** What is wrong with the answer. */
  readonly error: HTMLElement;
  /** What was chosen or written; undefined when nothing was. */
  value(): Answer | undefined;
  /** The user wanted to answer without it. */
  complain(): void;
}

interface QuestionSurroundings {
  readonly id: string;
  /** Prefix of element ids. */
  readonly prefix: string;
  readonly drafts: Drafts;
  /** `value` answers something else. */
  readonly changed: () => void;
  /** Enter in a field. */
  readonly send: (event: Event) => void;
}

/** The longest answer that the host takes, in UTF-16 units. */
const answerLength = '2000';

export function createQuestion(question: CardQuestion, surroundings: QuestionSurroundings): QuestionForm {
  const { id, prefix, drafts, changed, send } = surroundings;
  const draft = drafts.get(id);
  const error = element('p', { class: 'refusal', id: `${prefix}-answer-error`, role: 'status' });
  const field = question.fieldLabel === undefined ? undefined : answerField(question.fieldLabel, error.id);
  if (field) field.value = draft?.message ?? '';
  const choices = question.choices.map((parts, index) => {
    const radio = element('input', { type: 'radio', name: `${prefix}-choice`, 'data-control': `choice-${index}` });
    radio.checked = draft?.choice === index;
    return { radio, label: element('label', { class: 'choice' }, radio, element('span', {}, ...drawnParts(parts))) };
  });
  const chosen = (): number => choices.findIndex(({ radio }) => radio.checked);
  const save = (): void => {
    const choice = chosen();
    const message = field?.value ?? '';
    drafts.set(id, choice < 0 && message === '' ? undefined : { message, ...(choice >= 0 && { choice }) });
    error.textContent = '';
    changed();
  };
  for (const { radio } of choices) {
    radio.addEventListener('change', () => {
      // One answer is given: the one that was touched last.
      if (field) field.value = '';
      save();
    });
  }
  field?.addEventListener('input', () => {
    if (field.value !== '') for (const { radio } of choices) radio.checked = false;
    save();
  });

  const words = element('q', {}, ...drawnParts(question.parts));
  const group = { class: 'choices', role: 'radiogroup', 'aria-label': question.choicesLabel };
  const own = element(
    'div',
    { class: 'question' },
    element('blockquote', { class: 'asked', tabindex: '0' }, element('span', {}, `${question.label} `), words),
    ...(choices.length > 0 ? [element('div', group, ...choices.map(({ label }) => label))] : []),
    ...(field ? [field] : []),
    element('p', { class: 'about' }, question.hint),
  );
  own.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || event.repeat || !(event.target instanceof HTMLInputElement))
      return;
    send(event);
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    element: own,
    error,
    value() {
      const choice = chosen();
      if (choice >= 0) return { choice };
      const text = field?.value.trim() ?? '';
      return text === '' ? undefined : { text };
    },
    complain() {
      error.textContent = question.missing;
      (choices[0]?.radio ?? field)?.focus();
    },
  };
}

function answerField(label: string, errorId: string): HTMLInputElement {
  return element('input', {
    type: 'text',
    maxlength: answerLength,
    placeholder: label,
    'aria-label': label,
    'aria-describedby': errorId,
    autocomplete: 'off',
    'data-control': 'answer',
  });
}
