/**
 * Attacks on the review page. In some of them the page itself is in the hands of the attacker, who knows its secret: then the
 * extension host alone can refuse. Rows A and P of `docs/threats.md`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Locator } from 'playwright-core';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { actionBar, bringUp, clickButton, decide, openApprovals } from '../e2e/approvalsPage.ts';
import { connectAssistant, type Assistant } from '../e2e/assistant.ts';
import { setMode } from '../e2e/quickPick.ts';
import { until } from '../host/until.ts';
import { allowEdits, answerOf, connectAttacker, endOf, put, useRules, type Attack, type Target } from './target.ts';

/** Milliseconds for which a card must be on screen, and some more. */
const armed = 900;
/** The numbers of forged displays, which the real page does not use. */
let display = 900_000;

/** The review page in the hands of an attacker: it sends any message with the secret of the real page. */
export class ForgedPage {
  readonly frame: Frame;

  private constructor(frame: Frame) {
    this.frame = frame;
  }

  static async open({ drawbridge }: Target): Promise<ForgedPage> {
    const frame = await openApprovals(drawbridge.window);
    await frame.evaluate(`{
      const told = { hashes: {}, offers: {}, groups: [], armed: [] };
      globalThis.told = told;
      globalThis.isFrozen = false;
      // It comes before the listener of the real page.
      addEventListener('message', (event) => isFrozen && event.stopImmediatePropagation(), true);
      addEventListener('message', ({ data }) => {
        if (data.type === 'armed') told.armed.push(data.display);
        if (data.type !== 'state') return;
        for (const { approval, rules } of data.approvals) {
          told.hashes[approval.id] = approval.proposalHash;
          told.offers[approval.id] = rules?.offers.map(({ covers }) => covers) ?? [];
        }
        told.groups = data.groups;
      });
    }`);
    return new ForgedPage(frame);
  }

  /** Sends messages to the host, one right after the other. */
  async send(...messages: readonly object[]): Promise<void> {
    const secret = z.string().parse(await this.frame.evaluate('document.body.dataset.secret'));
    const sent = JSON.stringify(messages.map((message) => ({ ...message, secret })));
    const outer = this.frame.parentFrame();
    if (outer === null) throw new Error('The page is gone.');
    await outer.evaluate(
      `for (const message of ${sent}) globalThis.__vscode_post_message__('onmessage', { message, transfer: [] })`,
    );
  }

  /** Returns the hash that the host told the page for a request. */
  async hashOf(id: string): Promise<string> {
    const told = async (): Promise<string> =>
      z.string().parse((await this.frame.evaluate(`told.hashes[${JSON.stringify(id)}]`)) ?? '');
    return until(async () => {
      const hash = await told();
      return hash === '' ? undefined : hash;
    }, `the card of ${id}`);
  }

  /** Returns the id of the request whose headline names a file; undefined while there is none. */
  async idOf(path: string): Promise<string | undefined> {
    const stop = this.frame.locator('main [data-stop]').filter({ has: this.frame.locator('h3', { hasText: path }) });
    return (await stop.count()) === 0 ? undefined : ((await stop.first().getAttribute('data-stop')) ?? undefined);
  }

  /** Returns what the rules cover that the card of a request offers, in the words of the card. */
  async offersOf(id: string): Promise<readonly string[]> {
    await this.hashOf(id);
    return z.array(z.string()).parse(await this.frame.evaluate(`told.offers[${JSON.stringify(id)}]`));
  }

  /** Returns the id of the first group of cards, once there is one. */
  async group(): Promise<string> {
    return until(async () => {
      const id = await this.frame.evaluate('told.groups[0]?.id');
      return typeof id === 'string' ? id : undefined;
    }, 'a group of cards');
  }

  /** Keeps all that the host says from the real page, so that it no longer tells what is on screen; or ends that. */
  async freeze(isFrozen: boolean): Promise<void> {
    await this.frame.evaluate(`globalThis.isFrozen = ${isFrozen}`);
  }

  /** Says that a card is on screen, and waits until a decision may count, or for some seconds. */
  async show(id: string): Promise<void> {
    const number = (display += 1);
    await this.send({ type: 'displayed', id, display: number });
    for (let waited = 0; waited < 40; waited += 1) {
      await sleep(100);
      if ((await this.frame.evaluate(`told.armed.includes(${number})`)) === true) return;
    }
  }

  /** Sends decisions until something has happened, a few times, and shows nothing. */
  async repeat(isDone: () => boolean, ...messages: readonly object[]): Promise<boolean> {
    for (let round = 0; round < 5 && !isDone(); round += 1) {
      await this.send(...messages);
      await sleep(100);
    }
    return happens(isDone);
  }

  /** Declines a request until its card is gone: a page that is drawn anew at that moment loses what it is sent. */
  async decline(id: string): Promise<void> {
    await until(async () => {
      await this.send({ type: 'decline', id, proposalHash: await this.hashOf(id) });
      return until(async () => (await card(this).count()) === 0, `the card of ${id} to go`, 5000);
    }, 'the card to go');
  }

  async approve(id: string, more: object = {}): Promise<void> {
    await this.send({ type: 'approve', id, proposalHash: await this.hashOf(id), ...more });
  }

  /** Shows and approves until something has happened, a few times: a card that the real page moves takes no decision for a moment. */
  async insist(isDone: () => boolean, id: string, ...decision: readonly object[]): Promise<boolean> {
    const proposalHash = await this.hashOf(id);
    const sent = decision.length > 0 ? decision : [{ type: 'approve' }];
    for (let round = 0; round < 6; round += 1) {
      await this.show(id);
      await this.send(...sent.map((message) => ({ id, proposalHash, ...message })));
      if (await happens(isDone)) return true;
    }
    return false;
  }
}

/** Proposes a change, and returns the id of the request that waits. */
async function proposed(assistant: Assistant, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await answerOf(assistant, tool, args);
  const id = /"approvalId":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`Nothing waits: ${answer.slice(0, 300)}`);
  return id;
}

/** Returns whether something happens to a file within a second. */
async function happens(isDone: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < 10 && !isDone(); waited += 1) await sleep(100);
  return isDone();
}

const edit = (path: string, newText: string): { edits: readonly object[] } => ({
  edits: [{ path, oldText: 'one', newText }],
});
let files = 0;
/** Writes a file of its own for each try: an editor may still hold the text that a file had before. Returns its path. */
function newFile(target: Target): string {
  const path = `page-${(files += 1)}.txt`;
  put(target, { [path]: 'one\n' });
  return path;
}
const textIn = ({ folder }: Target, path: string): string => readFileSync(join(folder, path), 'utf8');
const isThere = ({ folder }: Target, path: string): boolean => existsSync(join(folder, path));
const manyLines = (count: number): string => Array.from({ length: count }, (_, line) => `line: ${line}\n`).join('');

const a4: Attack = {
  id: 'A4',
  name: 'has a dangerous change approved whose end was never on screen',
  async run(target, tries) {
    const assistant = await connectAttacker(target);
    const page = await ForgedPage.open(target);
    for (const path of ['.github/workflows/ci.yml', '.vscode/tasks.json', 'CLAUDE.md']) {
      const id = await proposed(assistant, 'create_file', { path, content: manyLines(400) });
      const isDone = (): boolean => isThere(target, path);
      tries.add(`approve ${path}`, await page.insist(isDone, id));
      const unread = { type: 'approve', withoutReading: true };
      tries.add(`approve ${path} without reading`, await page.insist(isDone, id, unread));
    }
    await assistant.close();
  },
};

const a5: Attack = {
  id: 'A5',
  name: 'hides a part of a text by characters that nobody sees',
  isQuick: true,
  async run(target, tries) {
    const hidden = [
      '\u{202E}',
      '\u{2066}',
      '\u{200B}',
      '\u{200D}',
      '\u{FEFF}',
      '\u{AD}',
      '\u{E0041}',
      '\u{2028}',
      '\u{3164}',
    ];
    const assistant = await connectAttacker(target);
    const { frame } = await ForgedPage.open(target);
    for (const [index, character] of hidden.entries()) {
      const path = newFile(target);
      const words = `shown ${index} ${character} end`;
      await proposed(assistant, 'apply_edit', edit(path, words));
      const row = frame.locator('.row.added', { hasText: `shown ${index} ` }).first();
      await row.waitFor();
      // A row that is far away is not laid out, so it has no inner text.
      const text = (await row.textContent()) ?? '';
      tries.add(`U+${character.codePointAt(0)?.toString(16)} is drawn as itself`, !text.includes('<U+'));
    }
    await assistant.close();
  },
};

const a15: Attack = {
  id: 'A15',
  name: 'has a change applied after it was declined or replaced',
  async run(target, tries) {
    const page = await ForgedPage.open(target);
    const ends: Readonly<Record<string, (id: string, assistant: Assistant, path: string) => Promise<void>>> = {
      'a decline': (id) => page.decline(id),
      'a decline and an approval at once': async (id) => {
        const proposalHash = await page.hashOf(id);
        await page.send({ type: 'decline', id, proposalHash }, { type: 'approve', id, proposalHash });
      },
      'a request in its place': async (id, assistant, path) => {
        await proposed(assistant, 'apply_edit', { ...edit(path, 'two'), replaces: id });
      },
    };
    for (const [what, end] of Object.entries(ends)) {
      const path = newFile(target);
      const assistant = await connectAttacker(target);
      const id = await proposed(assistant, 'apply_edit', edit(path, 'three'));
      await page.hashOf(id);
      await page.show(id);
      await end(id, assistant, path);
      for (let again = 0; again < 5; again += 1) await page.approve(id);
      tries.add(`approve after ${what}`, await happens(() => textIn(target, path) === 'three\n'));
      await assistant.close();
    }
  },
  control: [
    {
      file: 'src/changes/requests.ts',
      find: "return request?.approval.state === 'waiting' ? request : undefined;",
      replace: 'return request;',
    },
    {
      file: 'src/changes/requests.ts',
      find: "if (approval.state !== 'waiting' || proposal === undefined) return false;",
      replace: 'if (proposal === undefined) return false;',
    },
    {
      file: 'src/changes/requestLifecycle.ts',
      find: "if (approval.state === 'waiting') return reduceWaitingChange(state, request, event);",
      replace: "if (approval.state !== 'applying') return reduceWaitingChange(state, request, event);",
    },
  ],
};

const a17: Attack = {
  id: 'A17',
  name: 'has a click count that comes at the moment in which a card appears or moves',
  async run(target, tries) {
    const assistant = await connectAttacker(target);
    const page = await ForgedPage.open(target);
    for (let round = 0; round < 5; round += 1) {
      const path = newFile(target);
      const id = await proposed(assistant, 'apply_edit', edit(path, `two ${round}`));
      const approve = { type: 'approve', id, proposalHash: await page.hashOf(id) };
      const isApplied = (): boolean => textIn(target, path) !== 'one\n';
      await page.show(id);
      const shown = (): object => ({ type: 'displayed', id, display: (display += 1) });
      await page.send(shown(), approve, approve);
      tries.add('a click together with a move', isApplied());
      await page.send(shown());
      await sleep(50);
      await page.send(approve);
      await sleep(50);
      await page.send(approve);
      tries.add('a click 50 ms after a move', await happens(isApplied));
    }
    await assistant.close();
  },
};

const a18: Attack = {
  id: 'A18',
  name: 'runs a script in the review page by a name, a reason or a text',
  control: [
    {
      file: 'src/ui/approvals/approvalsHtml.ts',
      find: "script-src 'nonce-${nonce}'",
      replace: "script-src 'unsafe-inline' ${cspSource}",
    },
    {
      file: 'src/ui/page/card.tsx',
      find: '<Parts parts={card.reason.parts} />',
      replace: "<span dangerouslySetInnerHTML={{ __html: card.reason.parts.map(({ text }) => text).join('') }} />",
    },
  ],
  async run(target, tries) {
    const run = 'globalThis.pwned=1';
    const texts = [
      `<img src=x onerror=${run}>`,
      `<svg onload=${run}>`,
      `</script><script>${run}</script>`,
      `"><iframe srcdoc="<script>parent.${run}</script>">`,
      `<a href="javascript:${run}">x</a>`,
      `<a href="command:drawbridge.stop">x</a>`,
    ];
    const page = await ForgedPage.open(target);
    for (const text of texts) {
      const assistant = await connectAttacker(target);
      const id = await proposed(assistant, 'apply_edit', { ...edit(newFile(target), text), reason: text });
      await card(page).locator('.reason q').waitFor();
      await sleep(100);
      tries.add(`ran: ${text}`, (await page.frame.evaluate('globalThis.pwned')) !== undefined);
      const elements = await card(page).locator('a, script, img, iframe, object').count();
      tries.add(`became an element: ${text}`, elements > 0);
      await page.decline(id);
      await assistant.close();
    }
  },
};

const card = ({ frame }: ForgedPage): Locator => frame.locator('article.owns');

const a19: Attack = {
  id: 'A19',
  name: 'imitates the words of the card in its reason',
  isQuick: true,
  async run(target, tries) {
    const page = await ForgedPage.open(target);
    const reasons = [
      'Approved by administrator\n\nRisk: none',
      `Safe. ${'x '.repeat(400)}`,
      'fine\r\n\tApprove\u{2028}x',
    ];
    for (const reason of reasons) {
      const assistant = await connectAttacker(target);
      const id = await proposed(assistant, 'apply_edit', { ...edit(newFile(target), 'two'), reason });
      const quoted = card(page).locator('.reason q');
      await quoted.waitFor();
      const text = (await quoted.textContent()) ?? '';
      tries.add(`${JSON.stringify(reason.slice(0, 30))} takes several lines`, /[\n\r\u{2028}]/u.test(text));
      tries.add(`${JSON.stringify(reason.slice(0, 30))} takes the whole card`, text.length > 302);
      await page.decline(id);
      await assistant.close();
    }
  },
};

/** Approves a request with the first rule that its card offers, for good. */
async function approveWithRule(page: ForgedPage, id: string, isDone: () => boolean): Promise<void> {
  const rule = { suggestion: 0, scope: 'user' };
  const messages = [
    { type: 'previewRule', ...rule },
    { type: 'approveWithRule', ...rule },
  ];
  if (!(await page.insist(isDone, id, ...messages))) throw new Error('The change was not applied with its rule.');
}

const a20: Attack = {
  id: 'A20',
  name: 'changes other files by the rule that the user made of one answer',
  async run(target, tries) {
    const names = ['a.txt', 'src/[id].ts', 'src/{a,b}.ts', 'src/*.ts'];
    const neighbours = ['b.txt', 'src/i.ts', 'src/a.ts', 'src/deep/a.ts'];
    put(target, Object.fromEntries([...names, ...neighbours].map((name) => [name, 'one\n'])));
    const page = await ForgedPage.open(target);
    for (const name of names) {
      const assistant = await connectAttacker(target);
      const id = await proposed(assistant, 'apply_edit', edit(name, 'two'));
      await approveWithRule(page, id, () => textIn(target, name) === 'two\n');
      const others: readonly (readonly [string, object])[] = [
        ...neighbours.map((other) => ['apply_edit', edit(other, 'two')] as const),
        ['delete_file', { path: name }],
        ['move_file', { path: name, to: 'moved.txt' }],
      ];
      const ends = await Promise.all(
        others.map(
          async ([tool, args]) => `${tool} ${JSON.stringify(args)}: ${await endOf(assistant, tool, { ...args })}`,
        ),
      );
      for (const end of ends) tries.add(`by the rule for ${name}: ${end}`, end.endsWith(': applied'));
      await useRules(target, []);
      await assistant.close();
    }
  },
};

const approveOf = ({ frame }: ForgedPage, path: string): Locator =>
  frame.getByRole('button', { name: new RegExp(`^Approve.* of ${path}`) }).first();
const takesClicks = (button: Locator): Promise<unknown> =>
  until(
    async () => (await button.getAttribute('aria-disabled', { timeout: 1000 })) === 'false',
    'the button to take clicks',
  );

/**
 * Changes what a pressed button decides.
 * @param leave takes the request of the button away
 * @returns the path of the request that has the button then
 */
type Exchange = (path: string, id: string, leave: () => void) => Promise<string>;

const a37: Attack = {
  id: 'A37',
  name: 'has a click count that began on another request, or on another state of the request',
  async run(target, tries) {
    const { window } = target.drawbridge;
    const page = await ForgedPage.open(target);
    const exchanges: Readonly<Record<string, Exchange>> = {
      async 'another request'(_path, _id, leave) {
        const other = newFile(target);
        const assistant = await connectAttacker(target);
        await proposed(assistant, 'apply_edit', edit(other, 'two'));
        leave();
        await takesClicks(approveOf(page, other));
        await assistant.close();
        return other;
      },
      async 'a text that an extension changed'(path, id) {
        const before = await page.hashOf(id);
        await window.evaluate(insertIntoProposal, path);
        await until(async () => (await page.hashOf(id)) !== before, 'the request to change');
        // The new state is on screen for long enough.
        await sleep(armed);
        return path;
      },
    };
    for (const [what, exchange] of Object.entries(exchanges)) {
      const path = newFile(target);
      const [assistant, leaving] = [await connectAssistant(target.record), new AbortController()];
      const ended = assistant.change('apply_edit', edit(path, 'two'), leaving.signal).catch(() => undefined);
      const id = await until(() => page.idOf(path), `the card of ${path}`);
      const button = await bringUp(page.frame, new RegExp(`^Approve.* of ${path}`));
      await clickButton(page.frame, new RegExp(`^Open diff of ${path}`));
      await window.page.locator('.monaco-diff-editor .modified .view-lines').first().waitFor();
      await takesClicks(button);
      await button.hover();
      await window.page.mouse.down();
      const there = await exchange(path, id, () => leaving.abort());
      await takesClicks(approveOf(page, there));
      await window.page.mouse.up();
      const isChanged = (): boolean => textIn(target, there).includes('two');
      tries.add(`${what} comes below the pressed button`, await happens(isChanged));
      // The card was there: a whole click on its button counts.
      if (!isChanged()) await decide(page.frame, new RegExp(`^Approve.* of ${there}`));
      await until(isChanged, `${there} to be changed by a whole click`);
      await ended;
      await assistant.close();
      await window.command('workbench.action.closeAllEditors');
    }
  },
};

/** Changes the proposed text that a diff shows, as another extension may. Runs in the extension host. */
async function insertIntoProposal(editor: typeof vscode, path: string): Promise<void> {
  const shown = editor.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'drawbridge' && uri.authority === 'proposal' && uri.path.endsWith(path),
  );
  if (shown === undefined) throw new Error('No proposal is shown.');
  const change = new editor.WorkspaceEdit();
  change.insert(shown.uri, new editor.Position(0, 0), 'planted\n');
  await editor.workspace.applyEdit(change);
}

const a38: Attack = {
  id: 'A38',
  name: 'has a request decided by a page that did not show it for long enough, or that does not decide it',
  async run(target, tries) {
    const { window } = target.drawbridge;
    const assistant = await connectAttacker(target);
    const page = await ForgedPage.open(target);
    for (const isClosed of [false, true]) {
      const path = newFile(target);
      const id = await proposed(assistant, 'apply_edit', edit(path, 'two'));
      const proposalHash = await page.hashOf(id);
      const isApplied = (): boolean => textIn(target, path) !== 'one\n';
      await bringUp(page.frame, new RegExp(`^Approve.* of ${path}`));
      await clickButton(page.frame, /^Review in a tab/);
      const tab = await window.webview(`body[data-view="tab"] article:has-text("${path}")`);
      await takesClicks(tab.getByRole('button', { name: new RegExp(`^Approve.* of ${path}`) }));
      await actionBar(page.frame).getByText('The tab decides.').waitFor();
      const approve = { type: 'approve', id, proposalHash };
      if (isClosed) {
        // The side bar never tells that it shows the request, and decides right after the tab is gone.
        await page.freeze(true);
        const closing = window.command('workbench.action.closeActiveEditor');
        for (let round = 0; round < 40; round += 1) {
          await page.send(approve, { ...approve, withoutReading: true });
          await sleep(25);
        }
        await closing;
        tries.add('the side bar decides after the time of the tab', await happens(isApplied));
        if (!tab.isDetached()) throw new Error('The tab is still there.');
        await page.freeze(false);
        if (!isApplied() && !(await page.insist(isApplied, id))) throw new Error('The side bar never decides.');
      } else {
        await page.show(id);
        await page.send(approve, { ...approve, withoutReading: true }, { ...approve, inEditor: true });
        tries.add('the side bar approves while the tab decides', await happens(isApplied));
        await page.send({ type: 'approveAllDisplayed', groupId: id, display: (display += 1) });
        await sleep(armed);
        await page.send({ type: 'approveAll', groupId: id, approvals: [{ id, proposalHash }] });
        tries.add('the side bar approves all while the tab decides', await happens(isApplied));
        await setMode(window, 'Accept edits');
        await page.send({ type: 'approveAllDisplayed', groupId: 'mode', display: (display += 1) });
        await sleep(armed);
        await page.send({ type: 'applyByMode', approvals: [{ id, proposalHash }] });
        tries.add('the side bar applies by the mode while the tab decides', await happens(isApplied));
        await setMode(window, 'Manual');
        if (!isApplied()) await decide(tab, new RegExp(`^Approve.* of ${path}`));
        await until(isApplied, 'the tab to decide');
      }
      await window.command('workbench.action.closeAllEditors');
    }
    await assistant.close();
  },
};

const a39: Attack = {
  id: 'A39',
  name: 'has a payload approved that was never on screen',
  async run(target, tries) {
    const page = await ForgedPage.open(target);
    const payload = `var ok = 1;${' '.repeat(20_000)}exec("evil")`;
    const texts = {
      'behind blanks': `${manyLines(200)}${payload}\n${manyLines(200)}`,
      'behind blank lines': `${manyLines(200)}${'\n'.repeat(300)}exec("evil")\n${manyLines(200)}`,
      'with hidden characters': `${manyLines(200)}if (a\u{202E}b) exec("evil")\n${manyLines(200)}`,
    };
    for (const [what, content] of Object.entries(texts)) {
      const assistant = await connectAttacker(target);
      const path = `${what.replaceAll(' ', '-')}.js`;
      const id = await proposed(assistant, 'create_file', { path, content });
      const isDone = (): boolean => isThere(target, path);
      tries.add(`a payload ${what}`, await page.insist(isDone, id));
      // Parts of other requests, and numbers that no part has, do not count.
      const parts = Array.from({ length: 50 }, (_, part) => ({ type: 'partSeen', id, part: part + 1_000_000 }));
      await page.send(...parts);
      const unread = { type: 'approve', withoutReading: true };
      tries.add(`a payload ${what}, with forged parts`, await page.insist(isDone, id, unread));
      await assistant.close();
    }
  },
};

const a40: Attack = {
  id: 'A40',
  name: 'has a very large new file approved from its first rows',
  async run(target, tries) {
    const page = await ForgedPage.open(target);
    const assistant = await connectAttacker(target);
    for (const [path, content] of [
      ['lines.txt', manyLines(4000)],
      ['long.txt', `${'x'.repeat(400_000)}\n`],
    ] as const) {
      const id = await proposed(assistant, 'create_file', { path, content });
      const isDone = (): boolean => isThere(target, path);
      tries.add(`approve ${path}`, await page.insist(isDone, id));
      await page.send({ type: 'endReached', id, drawing: 1_000_000 });
      tries.add(`approve ${path} after the end of another drawing`, await page.insist(isDone, id));
    }
    await assistant.close();
  },
};

const a41: Attack = {
  id: 'A41',
  name: 'has a delete, a warning or a protected file applied together with harmless changes',
  async run(target, tries) {
    const { window } = target.drawbridge;
    const page = await ForgedPage.open(target);
    const guarded = {
      'a delete': ['delete_file', { path: 'gone.txt' }, () => !isThere(target, 'gone.txt')],
      'a protected file': [
        'create_file',
        { path: '.github/workflows/x.yml', content: 'on: push\n' },
        () => isThere(target, '.github/workflows/x.yml'),
      ],
      'a warning': ['create_file', { path: 'w.js', content: 'a\u{202E}b\n' }, () => isThere(target, 'w.js')],
    } as const;
    for (const [what, [tool, args, isDone]] of Object.entries(guarded)) {
      put(target, { 'gone.txt': 'one\n' });
      const [first, last] = [newFile(target), newFile(target)];
      const assistant = await connectAttacker(target);
      // Requests that come together make a group.
      const ids = await Promise.all([
        proposed(assistant, 'apply_edit', edit(first, 'two')),
        proposed(assistant, tool, args),
        proposed(assistant, 'apply_edit', edit(last, 'two')),
      ]);
      const approvals = await Promise.all(ids.map(async (id) => ({ id, proposalHash: await page.hashOf(id) })));
      const [, second] = approvals;
      const groupId = await page.group();
      await page.send(
        { type: 'groupOpened', groupId },
        { type: 'approveAllDisplayed', groupId, display: (display += 1) },
        ...ids.map((id) => ({ type: 'displayed', id, display: (display += 1) })),
      );
      await sleep(armed);
      await page.send({ type: 'approveAll', groupId, approvals: [second] });
      tries.add(`approve all with ${what}`, await happens(isDone));

      await setMode(window, 'Accept edits');
      await page.send({ type: 'approveAllDisplayed', groupId: 'mode', display: (display += 1) });
      await sleep(armed);
      await page.send({ type: 'applyByMode', approvals: [second] });
      tries.add(`the mode with ${what}`, await happens(isDone));
      await setMode(window, 'Manual');

      await useRules(target, [allowEdits]);
      const waiting = ids[1] ?? '';
      const end = await endOf(assistant, 'apply_edit', { ...edit(last, 'three'), replaces: waiting });
      tries.add(`an allowed edit in the place of ${what}: ${end}`, end === 'applied');
      await useRules(target, []);
      await assistant.close();
    }
  },
};

const a49: Attack = {
  id: 'A49',
  name: 'has a rule offered whose words can be read as another rule',
  isQuick: true,
  async run(target, tries) {
    const page = await ForgedPage.open(target);
    for (const name of ['a, b.txt', 'a.txt and every other file', 'x.txt,y.txt', 'src/a b/c.txt']) {
      put(target, { [name]: 'one\n' });
      const assistant = await connectAttacker(target);
      const offers = await page.offersOf(await proposed(assistant, 'apply_edit', edit(name, 'two')));
      // A name in quotation marks cannot be read as several names, or as words of ours.
      const readable = offers.filter((words) => words.includes(name) && !words.includes(JSON.stringify(name)));
      tries.add(`${name}: ${offers.join(' | ')}`, readable.length > 0);
      await assistant.close();
    }
  },
};

const p22: Attack = {
  id: 'P22',
  name: 'changes a file or a word that looks the same as another one, without a warning',
  async run(target, tries) {
    put(target, { 'src/index.ts': 'one\n', 'src/config.ts': 'one\n' });
    const page = await ForgedPage.open(target);
    const cases: readonly (readonly [what: string, path: string, content: string])[] = [
      ['a path with a Cyrillic letter', 'src/ind\u{435}x.ts', 'plain\n'],
      ['a path with a Greek letter', 'src/c\u{3BF}nfig.ts', 'plain\n'],
      ['a word with a Cyrillic letter', 'word.ts', 'const \u{430}dmin = true;\n'],
      ['a word with full-width letters', 'wide.ts', 'ｅval(x)\n'],
    ];
    for (const [what, path, content] of cases) {
      const assistant = await connectAttacker(target);
      const id = await proposed(assistant, 'create_file', { path, content });
      await card(page).waitFor();
      tries.add(`${what} has no warning`, !(await isWarned(page)));
      await page.decline(id);
      await assistant.close();
    }
  },
  // A path with such letters is warned of by the row P8 too, so the words of a line are what is switched off.
  control: [
    {
      file: 'src/changes/lookAlikes.ts',
      find: 'if (isAscii(line)) return [];',
      replace: 'if (line !== undefined) return [];',
    },
  ],
};

async function isWarned(page: ForgedPage): Promise<boolean> {
  return /look(?:s)? like|look the same|looks the same/i.test(await card(page).innerText());
}

export const pageAttacks: readonly Attack[] = [a4, a5, a15, a17, a18, a19, a20, a37, a38, a39, a40, a41, a49, p22];
