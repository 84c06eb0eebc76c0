import { createChanges, whenSeen } from './changes.ts';
import { drawnParts, element, spoken } from './element.ts';
import type { CardAction, RowsMessage } from './messages.ts';

/** What an action is, what it is done to, and its arguments, all of them. */
export interface ActionView {
  readonly element: HTMLElement;
  /** Appends lines of arguments that the host sent. */
  append(message: RowsMessage): void;
  dispose(): void;
}

interface ActionEvents {
  /** Wants lines of arguments from this number on. */
  more(from: number): void;
  /** The last line has been on screen. */
  end(): void;
}

export function createAction(action: CardAction, events: ActionEvents): ActionView {
  const { definition, commands, paths, arguments: given } = action;
  const code = element('code', { title: definition.label }, ...drawnParts(definition.parts));
  const own = element('div', { class: 'action' }, element('p', {}, spoken(`${definition.label}: `), code));
  for (const list of [commands, paths]) {
    if (list === undefined) continue;
    const items = list.items.map((parts) => element('li', {}, ...drawnParts(parts)));
    own.append(element('ul', { class: 'places', role: 'list', 'aria-label': list.label }, ...items));
  }
  if (given.none !== undefined) {
    if (given.none !== '') own.append(element('p', { class: 'none' }, given.none));
    const seen = whenSeen(own.lastElementChild ?? own, () => events.end());
    return { element: own, append: () => undefined, dispose: () => seen.dispose() };
  }
  const lines = createChanges({ ...given, excluded: [] }, { ...events, select: undefined, leftOut: '' });
  own.append(element('p', { class: 'label', 'aria-hidden': 'true' }, given.label), lines.region);
  return { element: own, append: (message) => lines.append(message), dispose: () => lines.dispose() };
}
