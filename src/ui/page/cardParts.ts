import { drawnParts, element, icon, spoken, timeOf } from './element.ts';
import type { Button, Card, CardFile, CardOutput, Chip, Counts } from './messages.ts';

export function headOf({ risk, chips, counts }: Card, headline: HTMLElement): HTMLElement {
  const drawn = [...(risk ? [risk] : []), ...chips].map(drawnChip);
  const lead = element('div', { class: 'lead' }, headline, ...drawn);
  return element('header', {}, lead, drawnCounts(counts));
}

export function drawnButton({ text, label }: Button, click: (event: MouseEvent) => void): HTMLButtonElement {
  const button = element('button', { type: 'button', 'aria-label': label }, text);
  button.addEventListener('click', click);
  return button;
}

export function drawnChip({ text, tone, icon: name, title }: Chip): HTMLElement {
  const chip = element('span', { class: `chip ${tone}`, title }, ...(name ? [icon(name)] : []), text);
  if (title !== undefined) chip.append(spoken(`: ${title}`));
  return chip;
}

export function drawnCounts({ added, removed, label }: Counts): HTMLElement {
  const drawn = [
    ['added', added],
    ['removed', removed],
  ] as const;
  const numbers = drawn
    .filter(([, text]) => text !== '')
    .map(([name, text]) => element('span', { class: name, 'aria-hidden': 'true' }, text));
  return element('span', { class: 'counts' }, ...numbers, spoken(label));
}

export function whoLine({ who }: Card): HTMLElement {
  const client = element('span', { title: who.claim, class: 'client' }, who.client, spoken(` (${who.claim})`));
  const pieces: Node[] = [client, timeOf(who.time), ...who.rest.map((text) => element('span', {}, text))];
  return element('p', { class: 'who' }, ...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [' · ', piece])));
}

export function fileTitle(file: CardFile, open: () => void): HTMLElement {
  const { title } = file;
  const folder = element('span', { class: 'folder', title }, ...drawnParts(file.folder));
  const to = file.to && element('span', { class: 'to' }, '→ ', ...drawnParts(file.to));
  const lead = element('div', { class: 'lead' }, fileName(file, open), folder, ...(to ? [to] : []));
  lead.append(...file.chips.map(drawnChip));
  return element('div', { class: 'title' }, lead, drawnCounts(file.counts));
}

/** The name opens the diff, where there is one. */
function fileName({ name, title, openLabel }: CardFile, open: () => void): HTMLElement {
  if (openLabel === undefined) return element('span', { class: 'name', title }, ...drawnParts(name));
  const button = element('button', { class: 'name', type: 'button', title, 'aria-label': openLabel });
  button.append(...drawnParts(name));
  button.addEventListener('click', open);
  return button;
}

export function warningList({ warnings }: Card, id: string): HTMLElement {
  return element('div', { class: 'warnings', id }, ...warnings.map((text) => element('p', {}, icon('warning'), text)));
}

/** What an action returned, to be opened. */
export function drawnOutput({ text, label, chip, parts }: CardOutput): HTMLElement {
  const summary = element('summary', {}, text, ...(chip ? [' ', drawnChip(chip)] : []));
  const words = element('pre', { tabindex: '0', role: 'group', 'aria-label': label }, ...drawnParts(parts));
  return element('details', { class: 'more-about output' }, summary, words);
}

export function quotedReason({ reason }: Card): HTMLElement[] {
  if (!reason) return [];
  const words = element('q', {}, ...drawnParts(reason.parts));
  return [element('blockquote', { class: 'reason' }, `${reason.label} `, words)];
}
