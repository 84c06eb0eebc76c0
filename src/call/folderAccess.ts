import * as z from 'zod';
import { principalKey, type Principal } from '#base/principal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import type { Waiting } from '#changes/approver.ts';
import { useWindow, windowAnswers, windowQuestion } from '#changes/windowUse.ts';
import { folderContaining } from '#policy/paths.ts';
import type { Call, CoreDependencies } from './callTool.ts';
import { printable } from './sanitise.ts';

/** The answers that the user gave for a folder, and not only for one session. */
export interface RememberedFolders {
  /**
   * @param folder real path of the folder in which an assistant works
   * @param window real paths of the folders of the window, sorted
   */
  answerFor(folder: string, window: readonly string[]): 'always' | 'never' | undefined;
  remember(folder: string, window: readonly string[], answer: 'always' | 'never'): Promise<void>;
}

const Asked = z.object({ folder: z.string(), window: z.array(z.string()) });

/** Knows which assistants from folders that this window does not have open may use it: those that the user lets (threat row A43). */
export class FolderAccess {
  readonly #workspace: Pick<Workspace, 'folders'>;
  readonly #remembered: RememberedFolders;
  /** The answers in this run of the window. */
  readonly #answers = new Map<string, boolean>();

  constructor(workspace: Pick<Workspace, 'folders'>, remembered: RememberedFolders) {
    this.#workspace = workspace;
    this.#remembered = remembered;
  }

  /** Real paths of the folders of the window, sorted. An answer counts for these only. */
  window(): readonly string[] {
    return this.#workspace
      .folders()
      .map(({ realPath }) => realPath)
      .toSorted();
  }

  /** Returns whether an assistant that works in a folder may use the window; undefined when the user has not said so. */
  mayUse(principal: Principal, folder: string): boolean | undefined {
    if (folderContaining(folder, this.#workspace.folders()) !== undefined) return true;
    const window = this.window();
    const answer = this.#answers.get(keyOf(principal, folder, window));
    if (answer !== undefined) return answer;
    const remembered = this.#remembered.answerFor(folder, window);
    return remembered && remembered === 'always';
  }

  /** Takes the answers of the user to the questions of `requireFolderAccess`, also after their calls have returned. */
  follow(approvals: Pick<Approvals, 'get' | 'onDidChange'>): void {
    approvals.onDidChange(({ approvals: changed }) => {
      for (const id of changed) {
        const approval = approvals.get(id);
        if (approval !== undefined) this.#answered(approval);
      }
    });
  }

  #answered({ tool, state, arguments: asked, principal, answer }: Approval): void {
    if (tool !== useWindow || (state !== 'applied' && state !== 'declined')) return;
    const { data } = Asked.safeParse(asked);
    if (data === undefined) return;
    const { folder, window } = data;
    const isYes = state === 'applied' && (answer === windowAnswers.once || answer === windowAnswers.always);
    this.#answers.set(keyOf(principal, folder, window), isYes);
    if (answer === windowAnswers.always) void this.#remembered.remember(folder, window, 'always');
    if (answer === windowAnswers.never) void this.#remembered.remember(folder, window, 'never');
  }
}

/**
 * Lets a call go on only when its assistant works in a folder of this window, or when the user lets it use the window. Asks the user
 * by a card where they have not said so yet.
 * @throws ToolError `denied`, or `unavailable` when the user has not answered yet
 */
export async function requireFolderAccess(
  call: Pick<Call, 'client' | 'worksIn'>,
  waiting: Waiting & { readonly onWaiting: (approvalId: string) => void },
  { approver, folderAccess, pathRules, policy }: CoreDependencies,
): Promise<void> {
  const { worksIn: folder, client } = call;
  if (folder === undefined) return;
  const before = folderAccess.mayUse(waiting.principal, folder);
  if (before === true) return;
  if (before === false) throw refused();
  const mode = policy.mode();
  if (mode === 'unattended') throw refused();
  const reason = 'the assistant works in a folder that this window does not have open';
  const { approvalId, status } = await approver.request({
    ...waiting,
    proposal: windowQuestion(printable(inHome(folder, pathRules.home))),
    tool: useWindow,
    arguments: { folder, window: folderAccess.window() },
    client,
    reason: undefined,
    replaces: undefined,
    judgement: {
      effect: 'ask',
      reason,
      risk: 'ui',
      protectedBy: [],
      onceOnly: false,
      mode,
      explain: [{ step: 'other_folder', detail: reason }],
    },
  });
  const after = folderAccess.mayUse(waiting.principal, folder);
  if (after === true) return;
  if (after === false || status !== 'pending_approval') throw refused();
  throw new ToolError(
    'unavailable',
    'The user has not answered yet whether you may use this editor window, because it does not have the folder open in which you work. They still can.',
    `Call again to wait for the answer, or call get_approval with the approvalId ${approvalId}.`,
  );
}

function refused(): ToolError {
  return new ToolError(
    'denied',
    'This editor window does not have the folder open in which you work, and the user did not let you use it.',
    'Go on without it. The user can open the folder in the editor.',
  );
}

function inHome(folder: string, home: string): string {
  return folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}

function keyOf(principal: Principal, folder: string, window: readonly string[]): string {
  return JSON.stringify([principalKey(principal), folder, window]);
}
