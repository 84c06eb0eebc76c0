import { drawnParts, element, icon, spoken, timeOf } from './element.ts';
import type { Button, Card, CardFile, Chip, Counts } from './messages.ts';

export function headOf({ risk, counts }: Card, headline: HTMLElement): HTMLElement {
  const lead = element('div', { class: 'lead' }, headline, ...(risk ? [drawnChip(risk)] : []));
  return element('header', {}, lead, drawnCounts(counts));
}

export function drawnButton({ text, label }: Button, click: (event: MouseEvent) => void): HTMLButtonElement {
  const button = element('button', { type: 'button', 'aria-label': label }, text);
  button.addEventListener('click', click);
  return button;
}

function drawnChip({ text, tone, icon: name, title }: Chip): HTMLElement {
  const chip = element('span', { class: `chip ${tone}`, title }, ...(name ? [icon(name)] : []), text);
  if (title !== undefined) chip.append(spoken(`: ${title}`));
  return chip;
}

function drawnCounts({ added, removed, label }: Counts): HTMLElement {
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
  const name = element('button', { class: 'name', type: 'button', title: file.title, 'aria-label': file.openLabel });
  name.append(...drawnParts(file.name));
  name.addEventListener('click', open);
  const folder = element('span', { class: 'folder', title: file.title }, ...drawnParts(file.folder));
  const lead = element('div', { class: 'lead' }, name, folder, ...file.chips.map(drawnChip));
  return element('div', { class: 'title' }, lead, drawnCounts(file.counts));
}

export function warningList({ warnings }: Card, id: string): HTMLElement {
  return element('div', { class: 'warnings', id }, ...warnings.map((text) => element('p', {}, icon('warning'), text)));
}

export function reasonAndWhy({ reason, why }: Card): HTMLElement[] {
  const drawn: HTMLElement[] = [];
  if (reason) {
    const words = element('q', {}, ...drawnParts(reason.parts));
    drawn.push(element('blockquote', { class: 'reason' }, `${reason.label} `, words));
  }
  if (why) {
    const terms = why.details.flatMap(({ term, value }) => [
      element('dt', {}, term),
      element('dd', {}, typeof value === 'string' ? value : timeOf(value.time)),
    ]);
    drawn.push(element('details', { class: 'why' }, element('summary', {}, why.text), element('dl', {}, ...terms)));
  }
  return drawn;
}
