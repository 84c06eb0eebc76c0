import { plain, visibleText } from '#base/visibleText.ts';
import type { PageRead } from '../messages.ts';
import { noCounts } from './changeText.ts';
import { clientName, whoAsks } from './clientText.ts';
import { ownerText, type CardContext } from './sharedCardText.ts';
import type { Translate } from './translate.ts';
import type { Card, CardFile } from './view.ts';
import { wayToDecision } from './whyText.ts';

/** Returns the card of a read that is closed unless the user opens it for this once. */
export function readCard(read: PageRead, { t }: Pick<CardContext, 't'>): Card {
  const { paths, client, requestedAt, secret } = read;
  const isGuarded = secret.length > 0;
  const [first = '', ...others] = paths.map(plain);
  const what = others.length === 0 ? first : t('{0} files: {1}', paths.length, [first, ...others].join(', '));
  const name = others.length === 0 ? first : t('{0} files', paths.length);
  const headline = t('{0} wants to read {1}', clientName(client, t), name);
  return {
    id: read.id,
    proposalHash: read.proposalHash,
    counts: noCounts,
    drawing: 0,
    phase: 'waiting',
    tone: isGuarded ? 'danger' : 'edit',
    headline,
    headlineTitle: what,
    owner: ownerText(clientName(client, t), headline, t),
    ...(isGuarded && { risk: { text: t('Secret'), tone: 'danger', icon: 'shield' } }),
    chips: [],
    who: whoAsks({ client, time: requestedAt }, t),
    files: paths.map((path) => drawnFile(path, secret.includes(path), t)),
    warnings: [],
    why: { ...wayToDecision(read, t), details: [{ term: t('Tool'), value: plain(read.tool) }] },
    notes: [],
    approve: { text: t('Allow once'), label: t('Allow once: read of {0}', what) },
    refuse: { text: t('Decline'), label: t('Decline read of {0}', what) },
  };
}

function drawnFile(path: string, isSecret: boolean, t: Translate): CardFile {
  const slash = path.lastIndexOf('/');
  return {
    counts: noCounts,
    path: plain(path),
    name: visibleText(path.slice(slash + 1)),
    folder: visibleText(path.slice(0, Math.max(0, slash))),
    title: plain(path),
    chips: isSecret ? [{ text: t('may hold secrets'), tone: 'danger' }] : [],
    includeLabel: '',
    viewedLabel: '',
    facts: [],
    rows: 0,
  };
}
