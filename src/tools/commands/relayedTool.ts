import { createHash } from 'node:crypto';
import { ToolError } from '#base/toolError.ts';
import { inputFromJsonSchema } from '#call/jsonSchemaInput.ts';
import type { OtherTool } from '#call/ports/otherTools.ts';
import { defineProposingTool, type ProposingTool } from '#call/tool.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { carriesCommands, deniedIn } from './carriedCommands.ts';

/** Clients put their name of the server in front, and models take 64 characters at most. */
const longestName = 47;
const prefix = 'relay_';

/**
 * What assistants know another tool by. A name that had to be changed ends with a part of its own hash: no tool can take the
 * place of one with nearly the same name.
 */
export function relayedName(name: string): string {
  const clean = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (clean === name && prefix.length + name.length <= longestName) return prefix + name;
  const ending = `_${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
  return prefix + clean.slice(0, longestName - prefix.length - ending.length) + ending;
}

/** What rules know it by: a tool that changes is another one to them. */
function definitionOf({ name, hash }: OtherTool): string {
  return `${name} ${hash.slice(0, 16)}`;
}

const carryingRemark =
  'This tool may run commands or programs: they can reach every file and the network, and Drawbridge neither checks nor undoes what they do.';

/** A tool of another extension as one of ours: asked for on a card each time, and done only while it is the very same. */
export function relayedTool(other: OtherTool): ProposingTool<unknown, 'otherTools'> {
  const { name, title, description, inputSchema, provider } = other;
  return defineProposingTool({
    name: relayedName(name),
    title,
    description,
    toolset: 'commands',
    risk: 'execute',
    needs: ['otherTools'],
    input: inputFromJsonSchema(inputSchema),
    output: changeOutcomeSchema,
    targets: () => [],
    reason: () => undefined,
    replaces: () => undefined,
    async propose(input) {
      refuseDenied(other, input);
      return {
        kind: 'action',
        files: [],
        title: `Use ${provider === 'editor' ? 'the tool' : 'the tool of an extension'}: ${title}`,
        definition: definitionOf(other),
        arguments: input,
        places: [],
        remarks: [
          ...(provider === 'editor' ? ['VS Code may show its own dialog after this one.'] : []),
          ...(carriesCommands(other) ? [carryingRemark] : []),
        ],
      };
    },
    async act(proposal, { otherTools }, signal) {
      const present = otherTools.all().find((each) => definitionOf(each) === proposal.definition);
      if (present === undefined) {
        throw new ToolError(
          'unavailable',
          'The tool is gone or has changed since it was shown to the user; nothing was done.',
          'List the tools again, or go on without it.',
        );
      }
      refuseDenied(present, proposal.arguments);
      try {
        return await otherTools.invoke(present.name, proposal.arguments, signal);
      } catch (error) {
        if (signal.aborted || error instanceof ToolError) throw error;
        // Its failure is its own, and may tell the model what to do better.
        return { text: error instanceof Error ? error.message : String(error), isError: true };
      }
    },
    render: renderOutcome,
  });
}

/** @throws ToolError `denied` (threat row A2) */
function refuseDenied(other: OtherTool, input: unknown): void {
  const denied = deniedIn(other, input);
  if (denied === undefined) return;
  throw new ToolError(
    'denied',
    `No assistant may run ${quoted(denied.command)}, by no tool: it ${denied.why}.`,
    'Do not look for another way to it; ask the user to run it by hand if it is needed.',
  );
}
