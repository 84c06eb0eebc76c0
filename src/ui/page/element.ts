import type { Part } from './messages.ts';

type Attributes = Readonly<Record<string, string | undefined>>;

/** Makes an element. Strings become text, never markup: everything that is shown may come from an attacker (threat row A18). */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Text of which the escaped characters are drawn apart, so that no file can imitate an escape (threat row A5). */
export function drawnParts(parts: readonly Part[]): Node[] {
  return parts.map(({ text, escaped }) =>
    escaped ? element('span', { class: 'escaped' }, text) : document.createTextNode(text),
  );
}

/** For screen readers only. */
export function spoken(text: string): HTMLElement {
  return element('span', { class: 'spoken' }, text);
}

/** A time of day in the user's own time zone. */
export function timeOf(milliseconds: number): HTMLElement {
  const date = new Date(milliseconds);
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium', hourCycle: 'h23' });
  return element('time', { datetime: date.toISOString() }, format.format(date));
}

const paths = {
  edit: 'M11.3 1.7a1.6 1.6 0 0 1 2.3 0l.7.7a1.6 1.6 0 0 1 0 2.3L5.6 13.4l-3.9.9.9-3.9zm-7.8 9.2-.4 2 2-.4 6.2-6.2-1.6-1.6z',
  shield:
    'M8 1 2.5 3v4.5c0 3.3 2.2 6 5.5 7.5 3.3-1.5 5.5-4.2 5.5-7.5V3zm0 1.3 4.3 1.6v3.6c0 2.7-1.700 4.900-4.300 6.200z',
  trash:
    'M6 1h4l1 1h3v1H2V2h3zM3 4h10l-.7 10.100L11.400 15H4.600l-.9-.9zm1.100 1 .6 9h6.600l.6-9zM6 6h1v7H6zm3 0h1v7H9z',
  play: 'M4 2.200 13 8l-9 5.800zm1.200 2.200v7.200L10.800 8z',
  question:
    'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.200a5.800 5.800 0 1 0 0 11.600A5.800 5.800 0 0 0 8 2.200zM7.400 10.600h1.200V12H7.400zM5.600 6.300a2.400 2.400 0 1 1 3.500 2.100c-.4.200-.5.4-.5.8v.500H7.400v-.5c0-.9.4-1.500 1.100-1.900a1.200 1.200 0 1 0-1.700-1z',
  warning: 'M8 1.500 15 14H1zm0 2.400L3 12.900h10zM7.400 6.500h1.200v3.600H7.400zm0 4.300h1.200V12H7.400z',
};

/** A decorative icon in the colour of the text around it. */
export function icon(name: keyof typeof paths): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', paths[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path);
  return svg;
}
