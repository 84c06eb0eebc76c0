import * as z from 'zod';
import { principalKey } from '#base/principal.ts';
import { textVersion } from '#audit/textVersion.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { isApplicable } from '#language/refactorings/applicable.ts';
import { visible } from '#policy/unsafeNames.ts';
import { maximumBytes, realTarget } from '../edit/editableText.ts';
import { countedPart, fittingCount } from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { maximumLine } from '../workspace/readRange.ts';

/** The most actions of a result; no lightbulb offers as many. */
const mostActions = 200;

const action = z.object({
  id: z.string().describe('For apply_code_action; valid once, until the file changes'),
  title: z.string(),
  kind: z.string().describe('LSP CodeActionKind; may be empty'),
  preferred: z.boolean().exactOptional(),
  fixes: z.array(z.string()).exactOptional().describe('Messages of the problems it fixes'),
  runsCommand: z.string().exactOptional().describe('Id of the command it runs beside or instead of an edit'),
});

type Listed = z.infer<typeof action>;

const listing = z.object({
  path: z.string().describe('Workspace-relative path'),
  version: z.string().describe('Version of the text they are for'),
  actions: z.array(action).max(mostActions),
  moreActions: z.int().min(0).max(10_000).exactOptional().describe('Further actions that did not fit'),
  redactedSecrets: redactedSecretsOutput,
});

/** The `list_code_actions` tool: lists the quick fixes and refactorings of the lightbulb. */
export const listCodeActions = defineTool({
  name: 'list_code_actions',
  title: 'List code actions',
  summary: 'List quick fixes and refactorings as the lightbulb has them.',
  toolset: 'language',
  risk: 'read',
  timeLimitSeconds: 30,
  needs: ['files', 'refactorings'],
  description: 'List quick fixes and refactorings for lines, with ids for apply_code_action.',
  example: { path: 'src/a.ts', firstLine: 3 },
  input: inputFromZod(
    z.strictObject({
      path: pathInput.describe('Names a file'),
      firstLine: z.int().min(1).max(maximumLine).describe('Begins here, 1-based'),
      lastLine: z.int().min(1).max(maximumLine).exactOptional().describe('Ends here; default: firstLine'),
      kinds: z.array(z.string().max(100)).max(20).exactOptional().describe('Keeps kinds, e.g. quickfix'),
    }),
  ),
  output: outputFromZod(listing),
  targets: ({ path }) => [path],
  async run({ firstLine, lastLine = firstLine, kinds = [] }, context, signal): Promise<z.infer<typeof listing>> {
    const { files, refactorings, principal } = context;
    const path = await realTarget(context.targets[0], context);
    const { text } = await files.readText(path, maximumBytes);
    const lines = { firstLine: Math.min(firstLine, lastLine), lastLine: Math.max(firstLine, lastLine) };
    const offered = (await refactorings.codeActions(path, lines, kinds, signal)).filter(isApplicable);
    const version = textVersion(text);
    const described = offered.map(({ title, kind, isPreferred, fixes, command }): Omit<Listed, 'id'> => ({
      title,
      kind,
      ...(isPreferred && { preferred: true }),
      ...(fixes.length > 0 && { fixes: [...fixes] }),
      ...(command !== undefined && { runsCommand: command }),
    }));
    const asShown = (one: Omit<Listed, 'id'>) => {
      const shown = { id: 'ca-000000000000', ...one };
      return { text: actionText(shown), data: [shown] };
    };
    const count = fittingCount(described, asShown, { ...context.limits, maxResults: mostActions });
    const actions = offered.slice(0, count).flatMap((one, at): Listed[] => {
      const about = described[at];
      const offer = { action: one, owner: principalKey(principal), uri: path.uri, version };
      return about === undefined ? [] : [{ id: refactorings.offer(offer), ...about }];
    });
    const more = offered.length - actions.length;
    return { path: visible(path.path), version, actions, ...(more > 0 && { moreActions: more }) };
  },
  render: ({ path, version, actions, moreActions, redactedSecrets }) => ({
    text: [
      `${path} (version ${version}): ${countedPart(actions.length, actions.length + (moreActions ?? 0), 'action')}`,
      ...actions.map(actionText),
      ...(moreActions === undefined ? [] : [`(${moreActions} more; pass kinds to narrow the list)`]),
      ...secretsText(redactedSecrets),
    ].join('\n'),
  }),
});

function actionText({ id, title, kind, preferred, fixes, runsCommand }: Listed): string {
  const facts = [
    ...(kind === '' ? [] : [kind]),
    ...(preferred === true ? ['preferred'] : []),
    ...(runsCommand === undefined ? [] : [`runs ${runsCommand}`]),
  ].join(', ');
  const fixed = fixes === undefined ? '' : ` fixes: ${fixes.join(' | ')}`;
  return `${id} ${title}${facts === '' ? '' : ` [${facts}]`}${fixed}`;
}
