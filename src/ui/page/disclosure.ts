import { drawnButton } from './cardParts.ts';
import { element, timeOf } from './element.ts';
import type { Disclosure } from './messages.ts';

interface DisclosureParts {
  /** Stands for the hash of the proposal, which changes with what is selected. */
  readonly hash: HTMLElement;
  readonly showRule: () => void;
}

/** Something to open for who wants to know more. */
export function drawnDisclosure(
  { text, rule, steps, details }: Disclosure,
  name: string,
  { hash, showRule }: DisclosureParts,
): HTMLElement {
  const terms = details.flatMap(({ term, value }) => [
    element('dt', {}, term),
    element('dd', {}, typeof value === 'string' ? value : 'time' in value ? timeOf(value.time) : hash),
  ]);
  const parts: Node[] = [];
  if (rule) {
    const show = rule.show && drawnButton(rule.show, showRule);
    show?.classList.add('link');
    parts.push(element('p', {}, rule.text, ...(show ? [' ', show] : [])));
  }
  if (steps) {
    const items = steps.items.map((item) => element('li', {}, item));
    parts.push(element('ol', { class: 'steps', 'aria-label': steps.label }, ...items));
  }
  const body = terms.length > 0 ? [...parts, element('dl', {}, ...terms)] : parts;
  return element('details', { class: `more-about ${name}` }, element('summary', {}, text), ...body);
}
