/** A sample of an approval, with which a user learns the review page before an assistant is connected. */
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { FileChange, FileRestore, Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Judgement } from '#policy/decision.ts';
import type { Approvals } from './approval.ts';
import { type ApplyOutcome, type Edits, nothingInterrupted } from './edits.ts';
import type { History } from './history.ts';
import { ApprovalQueue } from './queue.ts';

const before = `export interface Item {
  readonly name: string;
  readonly price: number;
  readonly count: number;
}

/** Returns the price of all items. */
export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

/** Returns a price as the user reads it. */
export function formatPrice(price: number): string {
  return '$' + price;
}

export function describe(items: readonly Item[]): string {
  return items.map((item) => item.name).join(', ');
}
`;

const after = before
  .replace('sum += item.price;', 'sum += item.price * item.count;')
  .replace("return '$' + price;", 'return `$${price.toFixed(2)}`;')
  .replace('  return items.map', '  console.log(items);\n  return items.map');

/** The made-up file. */
const path: ResolvedPath = {
  path: 'src/cart.ts',
  uri: 'untitled:/sample/src/cart.ts',
  fsPath: '/sample/src/cart.ts',
  realPath: '/sample/src/cart.ts',
  linked: false,
  folder: { name: 'sample', uri: 'untitled:/sample', fsPath: '/sample', realPath: '/sample' },
  kind: 'file',
  dangling: false,
  size: Buffer.byteLength(before),
  modified: 0,
  linkCount: 1,
};

/** No rule can be made of a sample. */
const judgement: Judgement = {
  effect: 'ask',
  reason: 'sample',
  risk: 'edit',
  protectedBy: [undefined],
  onceOnly: true,
  mode: 'manual',
  explain: [],
};

const principal = { credential: 'sample', connectionId: 'sample' };

/** How long the sample waits, in milliseconds. */
const patience = 30 * 60_000;

/** The words of the assistant that asks in the sample, in the language of the user. */
export interface SampleWords {
  readonly assistant: string;
  readonly reason: string;
}

/**
 * Samples of approvals, each an edit of a made-up file in memory. They are decided, applied and undone as all approvals are, but
 * nothing of them is read from the disk, written or recorded, and no assistant learns of them.
 */
export class SampleApprovals {
  readonly queue: ApprovalQueue;
  readonly #texts = new Map([[path.realPath, before]]);

  constructor(clock: Clock) {
    const texts = this.#texts;
    this.queue = new ApprovalQueue({
      clock,
      edits: editsOf(texts),
      history: historyInMemory(),
      files: {
        readText: async () => ({
          text: texts.get(path.realPath) ?? '',
          encoding: 'utf8',
          source: 'disk',
          unsaved: false,
          unsavedElsewhere: false,
          readonly: false,
          unifiedLineEnds: 0,
          modified: 0,
        }),
        readTree: () => Promise.reject(new ToolError('not_found', 'A sample has no folders.', 'Open another sample.')),
        canEncode: async () => true,
      },
      problems: { snapshot: async () => ({ changeSince: async () => undefined }) },
      usersOf: async () => [],
      recheck: async () => undefined,
      act: () => Promise.reject(new ToolError('unavailable', 'A sample carries nothing out.', 'Open another sample.')),
      repropose: async () => undefined,
      judge: () => judgement,
      resolve: async () => path,
      auditLog: { event: () => undefined },
      interrupted: nothingInterrupted,
      namesIn: () => [],
    });
  }

  /** Returns the id of the sample that waits, and makes a new one when none does. */
  open({ assistant, reason }: SampleWords): string {
    const waiting = this.queue.all.find(({ state }) => state === 'waiting');
    if (waiting) return waiting.id;
    this.#texts.set(path.realPath, before);
    const proposal: Proposal = {
      kind: 'changes',
      files: [
        {
          kind: 'edit',
          path,
          base: { text: before, encoding: 'utf8', source: 'disk', unsaved: false, unifiedLineEnds: 0 },
          result: { text: after, encoding: 'utf8' },
        },
      ],
    };
    let id = '';
    void this.queue
      .request({
        proposal,
        judgement,
        tool: 'apply_edit',
        arguments: {},
        principal,
        client: { name: assistant, version: '' },
        reason,
        replaces: undefined,
        waitMilliseconds: patience,
        signal: new AbortController().signal,
        onWaiting: (approvalId) => (id = approvalId),
        progress: () => undefined,
      })
      .catch(() => undefined);
    return id;
  }
}

/** Approvals whose texts are shown. */
type ShownTexts = Pick<Approvals, 'get' | 'texts' | 'review' | 'setText' | 'onDidChange'>;

/** Returns approvals and samples as one, for what shows the texts of both. */
export function withSamples(approvals: ShownTexts, samples: ShownTexts): ShownTexts {
  const queueOf = (id: string): ShownTexts => (samples.get(id) === undefined ? approvals : samples);
  return {
    get: (id) => queueOf(id).get(id),
    texts: (id, fileIndex) => queueOf(id).texts(id, fileIndex),
    review: (id, fileIndex) => queueOf(id).review(id, fileIndex),
    setText: (id, fileIndex, text) => queueOf(id).setText(id, fileIndex, text),
    onDidChange(listener) {
      const subscriptions = [approvals.onDidChange(listener), samples.onDidChange(listener)];
      return { dispose: () => subscriptions.forEach((each) => each.dispose()) };
    },
  };
}

/** Returns edits that change texts in memory, by real path, and only when they hold the base. */
function editsOf(texts: Map<string, string>): Edits {
  const findStale: Edits['findStale'] = async (changes) => {
    const changed = changes.find(
      (change) => change.kind === 'edit' && texts.get(change.path.realPath) !== change.base.text,
    );
    return changed && { path: changed.path.path, reason: 'the file was changed' };
  };
  return {
    findStale,
    async apply(changes): Promise<ApplyOutcome> {
      const edits = changes.filter((change) => change.kind === 'edit');
      const stale = await findStale(edits);
      if (stale) return { status: 'stale', ...stale };
      return { status: 'applied', files: changes.map((change) => writtenTo(texts, change)) };
    },
    watch: () => ({ dispose: () => undefined }),
  };
}

function writtenTo(texts: Map<string, string>, change: FileChange | FileRestore) {
  if (change.kind !== 'edit') return {};
  const { text, encoding } = change.result;
  texts.set(change.path.realPath, text);
  const size = Buffer.byteLength(text);
  return { written: { text, encoding, saved: true, dirty: false, changedOnSave: false, size, modified: 0 } };
}

function historyInMemory(): History {
  const contents = new Map<string, Uint8Array>();
  return {
    async putContent(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      contents.set(sha256, bytes);
      return sha256;
    },
    async getContent(sha256) {
      const bytes = contents.get(sha256);
      if (bytes === undefined) throw new Error('what was kept of it is gone');
      return bytes;
    },
    putRecord: async () => undefined,
    records: async () => [],
  };
}
