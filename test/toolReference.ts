import * as prettier from 'prettier';
import type { Prompt } from '#call/prompt.ts';
import type { Resource } from '#call/resource.ts';
import type { JsonSchema, Tool } from '#call/tool.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';

const introduction = `# Tools

Written by \`npm run docs\` from the tool list; do not edit by hand.

Paths are workspace-relative with \`/\`; in a window with several folders they begin with the folder's name. Lines are 1-based,
ranges include both ends. A \`version\` is that of the text as the editor holds it. A failure is a result with \`isError\`: what
happened, what to do next, and a code in brackets.
`;

const outcomes = `## What becomes of a change

Every tool that changes something answers with a \`status\`:

| status | what it means |
| --- | --- |
| \`applied\` | the user approved, and the files hold the text |
| \`partially_applied\` | the user left parts out; \`files\` tells which (\`not_applied\`, \`differenceFromProposal\`) |
| \`applied_modified\` | the user changed it before applying it; \`differenceFromProposal\` tells how |
| \`pending_approval\` | the call had to return, the user can still decide; do not send the change again, call \`get_approval\` |
| \`declined\` | the user said no; \`userMessage\` and \`reasonCode\` may say why |
| \`stale\` | a file changed between the proposal and the approval; nothing was written |
| \`expired\` | nobody decided for 30 minutes; nothing was written |
| \`withdrawn\` | the call was cancelled, its session ended, or its folder was closed; nothing was written |
| \`superseded\` | another change took its place (\`replacedBy\`); nothing was written |
| \`partly_applied\` | the window closed in the middle of the change; \`files\` tells what is changed, and the user can finish it or take it back |
| \`failed\` | something went wrong while writing; \`files\` tells what each file is now |
`;

/** Returns the tool reference in Markdown, formatted like the repository. */
export async function toolReference(): Promise<string> {
  const text = [introduction, ...tools.map(describeTool), outcomes, describeResources(), describePrompts()].join('\n');
  return prettier.format(text, { ...(await prettier.resolveConfig('docs/tools.md')), parser: 'markdown' });
}

function describeTool(tool: Tool): string {
  const fields = propertiesOf(tool.input.jsonSchema).flatMap(([name, schema, required]) => [
    `| \`${name}\` | ${typeOf(schema)} | ${required ? 'yes' : 'no'} | ${cell(schema['description'])} |`,
    ...(isSchema(schema['items']) ? propertiesOf(schema['items']) : []).map(
      ([inner, value, needed]) =>
        `| \`${name}[].${inner}\` | ${typeOf(value)} | ${needed ? 'yes' : 'no'} | ${cell(value['description'])} |`,
    ),
  ]);
  return [
    `## \`${tool.name}\``,
    `${tool.title}. Toolset \`${tool.toolset}\`, risk \`${tool.risk}\`: ${effectOf(tool)}.`,
    tool.description,
    ...kindNames(tool),
    ...(fields.length === 0
      ? ['No parameters.']
      : [['| parameter | type | required | what |', '| --- | --- | --- | --- |', ...fields].join('\n')]),
    `Answers with ${propertiesOf(tool.output.jsonSchema)
      .map(([name]) => `\`${name}\``)
      .join(', ')}.`,
    '',
  ].join('\n\n');
}

function effectOf(tool: Tool): string {
  if (tool.risk === 'read') return 'only reads';
  if (tool.risk !== 'ui') return 'asks you before it changes anything';
  return 'propose' in tool ? 'asks you' : 'shows you something and changes no file';
}

/** Returns the names that rules, settings and the record use for the kinds of a tool. */
function kindNames(tool: Tool): readonly string[] {
  const names = 'run' in tool ? Object.entries(tool.namesByKind ?? {}) : [];
  if (names.length === 0) return [];
  const told = names.map(([kind, name]) => `\`${name}\` (${kind})`).join(', ');
  return [
    `Rules, the setting \`drawbridge.toolsets\` and the record know each kind by a name of its own: ${told}. ` +
      `A rule or a setting that names \`${tool.name}\` counts for all of them.`,
  ];
}

function describeResources(): string {
  return [
    '## Resources',
    'The open editors are listed too, under their own addresses. Each can be subscribed to. What the rules keep an assistant ' +
      'from reading with a tool, it cannot read as a resource either, nor does it hear that it changed.',
    ['| resource | what | judged as |', '| --- | --- | --- |', ...resources.map(resourceRow)].join('\n'),
    '',
  ].join('\n\n');
}

function resourceRow({ address, description, judgedAs }: Resource): string {
  return `| \`${'uri' in address ? address.uri : address.uriTemplate}\` | ${cell(description)} | \`${judgedAs}\` |`;
}

function describePrompts(): string {
  return [
    '## Prompts',
    'Each comes with the files that it is about.',
    ['| prompt | what | arguments |', '| --- | --- | --- |', ...prompts.map(promptRow)].join('\n'),
    '',
  ].join('\n\n');
}

function promptRow({ name, description, arguments: taken }: Prompt): string {
  const given = taken.map((each) => `\`${each.name}\`${each.required ? '' : ' (optional)'}: ${each.description}`);
  return `| \`${name}\` | ${cell(description)} | ${cell(given.join('; '))} |`;
}

function propertiesOf(schema: JsonSchema): [name: string, schema: JsonSchema, required: boolean][] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isSchema(schema['properties']) ? Object.entries(schema['properties']) : [];
  return properties.flatMap(([name, value]) => (isSchema(value) ? [[name, value, required.includes(name)]] : []));
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `\`${String(value)}\``).join(' ');
  const type = String(schema['type']);
  return 'default' in schema ? `${type}, default \`${JSON.stringify(schema['default'])}\`` : type;
}

function cell(description: unknown): string {
  return typeof description === 'string' ? description.replaceAll('|', '\\|') : '';
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
