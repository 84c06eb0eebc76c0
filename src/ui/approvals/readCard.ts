import { createHash } from 'node:crypto';
import { plain, visibleText } from '#base/visibleText.ts';
import type { WaitingRead } from '#changes/approval.ts';
import { classifyNames } from '#policy/nameRules.ts';
import type { Card, CardFile } from '#ui/page/messages.ts';
import { noCounts } from './changeText.ts';
import { clientName, whoAsks } from './clientText.ts';
import type { Translate } from './translate.ts';
import { wayToDecision } from './whyText.ts';

/** The path is one of those that hold secrets. */
export function isSecret(path: string): boolean {
  return classifyNames(`/${path}`).class === 'secret';
}

/** Stands where the hash of a proposal stands: a decision counts only for what the card shows. */
export function readHash({ id, paths }: WaitingRead): string {
  return createHash('sha256')
    .update(JSON.stringify([id, paths]))
    .digest('hex');
}

/** The card of a read that is closed unless the user opens it for this once. */
export function readCard(read: WaitingRead, windowName: string | undefined, t: Translate): Card {
  const { paths, client, requestedAt } = read;
  const isGuarded = paths.some(isSecret);
  const [first = '', ...others] = paths.map(plain);
  const what = others.length === 0 ? first : t('{0} files: {1}', paths.length, [first, ...others].join(', '));
  const name = others.length === 0 ? first : t('{0} files', paths.length);
  return {
    id: read.id,
    proposalHash: readHash(read),
    counts: noCounts,
    drawing: 0,
    phase: 'waiting',
    tone: isGuarded ? 'danger' : 'edit',
    headline: t('{0} wants to read {1}', clientName(client, t), name),
    headlineTitle: what,
    risk: isGuarded ? { text: t('Secret'), tone: 'danger', icon: 'shield' } : { text: t('Read'), tone: 'plain' },
    chips: [],
    who: whoAsks({ client, time: requestedAt, windowName }, t),
    files: paths.map((path) => drawnFile(path, t)),
    warnings: [],
    why: { ...wayToDecision(read, t), details: [{ term: t('Tool'), value: plain(read.tool) }] },
    notes: [],
    approve: { text: t('Allow once'), label: t('Allow once: read of {0}', what) },
    refuse: { text: t('Decline'), label: t('Decline read of {0}', what) },
  };
}

function drawnFile(path: string, t: Translate): CardFile {
  const slash = path.lastIndexOf('/');
  return {
    counts: noCounts,
    excluded: [],
    name: visibleText(path.slice(slash + 1)),
    folder: visibleText(path.slice(0, Math.max(0, slash))),
    title: plain(path),
    chips: isSecret(path) ? [{ text: t('may hold secrets'), tone: 'danger' }] : [],
    includeLabel: '',
    facts: [],
    rows: [],
  };
}
