import * as z from 'zod';
import { canonicalJson } from '#base/canonicalJson.ts';
import type { ResolvedPath } from '#base/files.ts';
import { principalKey } from '#base/principal.ts';
import type { ActionProposal, ChangesProposal } from '#base/proposal.ts';
import { textVersion } from '#audit/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { defineProposingTool, inputFromZod, type ToolContext } from '#call/tool.ts';
import type { CodeActionCommand, CodeActionEffect, OfferedAction } from '#language/refactorings.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { maximumBytes } from '../edit/editableText.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { proposeLanguageEdits, type EditsContext } from './edits/languageEdits.ts';

/** The arguments of an action proposal: our id of the live command, and its own arguments for the card. */
const commandArguments = z.object({ codeAction: z.string(), arguments: z.unknown() });

/** The `apply_code_action` tool: proposes the edits of a listed code action, or its command when requested. */
export const applyCodeAction = defineProposingTool({
  name: 'apply_code_action',
  title: 'Apply code action',
  toolset: 'language',
  risk: 'edit',
  timeLimitSeconds: 30,
  needs: ['files', 'refactorings', 'sourceControl'],
  description: 'Apply the edits of an action that list_code_actions returned.',
  example: { id: 'ca-1f2e3d4c5b6a' },
  input: inputFromZod(
    z.strictObject({
      id: z.string().max(100).describe('Repeats the id of the list'),
      runCommand: z.boolean().exactOptional().describe('Runs its command instead'),
      reason: reasonInput,
    }),
  ),
  output: changeOutcomeSchema,
  targets: () => [],
  reason: ({ reason }) => reason,
  async propose({ id, runCommand = false }, context, signal) {
    const { offered, path } = await offeredTo(id, context);
    const effect = await offered.action.expand(signal);
    const proposal = runCommand
      ? proposeCommand(effect, offered, path, context)
      : await proposeEdits(effect, offered, context);
    // An action with a command stays offered, since its edits and its command are applied separately.
    if (runCommand || effect.command === undefined) context.refactorings.withdraw(id);
    return proposal;
  },
  async act(proposal, { refactorings }) {
    const { codeAction, arguments: shown } = commandArguments.parse(proposal.arguments);
    const command = refactorings.offered(codeAction)?.asked;
    refactorings.withdraw(codeAction);
    if (command?.id !== proposal.definition) throw gone();
    // The arguments are live objects of the extension and may have changed since the approval.
    if (canonicalJson(command.arguments) !== canonicalJson(shown)) throw gone();
    await command.run();
    return { text: '' };
  },
  render: renderOutcome,
});

/**
 * Finds the code action and the file that it was offered for.
 * @throws ToolError `not_found` when it belongs to another assistant or was used; `stale_version` when the file changed
 */
async function offeredTo(
  id: string,
  {
    files,
    refactorings,
    principal,
    resolve,
  }: Pick<ToolContext<'files' | 'refactorings'>, 'files' | 'refactorings' | 'principal' | 'resolve'>,
): Promise<{ readonly offered: OfferedAction; readonly path: ResolvedPath }> {
  const offered = refactorings.offered(id);
  if (offered === undefined || offered.asked !== undefined || offered.owner !== principalKey(principal)) throw gone();
  const path = await resolve(offered.uri);
  const version = textVersion((await files.readText(path, maximumBytes)).text);
  if (version === offered.version) return { offered, path };
  refactorings.withdraw(id);
  throw new ToolError(
    'stale_version',
    `${path.path} is at version ${version}, and the action was offered for ${offered.version}; nothing was changed.`,
    'Call list_code_actions again.',
  );
}

async function proposeEdits(
  { edits, command }: CodeActionEffect,
  { action }: OfferedAction,
  context: EditsContext,
): Promise<ChangesProposal> {
  const files = edits === undefined ? [] : await proposeLanguageEdits(edits, context);
  if (files.length > 0) return { kind: 'changes', files, ...(files.length > 1 && { indivisible: true }) };
  throw new ToolError(
    'no_match',
    `${JSON.stringify(action.title)} makes no edit.`,
    command === undefined
      ? 'Choose another action.'
      : `It runs the command ${command.id}; call again with runCommand to ask the user for that.`,
  );
}

/** Proposes the command of a code action, as risk `execute`, because its effect cannot be shown beforehand. */
function proposeCommand(
  { edits, command }: CodeActionEffect,
  offered: OfferedAction,
  path: ResolvedPath,
  { refactorings }: Pick<ToolContext<'refactorings'>, 'refactorings'>,
): ActionProposal {
  const { title } = offered.action;
  if (command === undefined) {
    throw new ToolError('no_match', `${JSON.stringify(title)} runs no command.`, 'Call again without runCommand.');
  }
  // Commands of language services also begin with _, which otherwise marks internal commands of the editor.
  const why = deniedCommand(command.id.replace(/^_+/, ''));
  if (why !== undefined) {
    throw new ToolError(
      'denied',
      `The command ${command.id} is never run for an assistant: it ${why}.`,
      'Ask the user to apply the action in the editor.',
    );
  }
  const codeAction = refactorings.offer({ ...offered, asked: command });
  return {
    kind: 'action',
    risk: 'execute',
    files: [],
    title: `${title} (${command.title})`,
    definition: command.id,
    arguments: { codeAction, arguments: command.arguments },
    places: [path],
    remarks: remarksOn(command, edits !== undefined),
  };
}

function remarksOn({ id }: CodeActionCommand, hasEdits: boolean): readonly string[] {
  return [
    `An extension made the command ${id}; what it changes cannot be shown beforehand, nor undone here.`,
    ...(hasEdits ? ['The edits of the same code action are not part of this.'] : []),
  ];
}

function gone(): ToolError {
  return new ToolError(
    'not_found',
    'There is no such code action, or it was used already; nothing was changed.',
    'Call list_code_actions again; get_approval tells the outcome of a change.',
  );
}
