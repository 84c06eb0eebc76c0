import { redactText } from '#audit/redactText.ts';
import type { Clock } from '#base/clock.ts';
import type { ActionProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import { asToolError } from './callTool.ts';
import type { Catalog } from './catalog.ts';
import { redactError } from './redactResult.ts';
import { printable } from './sanitise.ts';
import { withTimeLimit } from './timeLimit.ts';
import type { Media, ToolPorts } from './tool.ts';

export interface PerformDependencies {
  readonly catalog: Pick<Catalog, 'tools' | 'isTurnedOff'>;
  readonly clock: Clock;
  readonly ports: Omit<ToolPorts, 'tickets'>;
  /** A bug of ours, for the log. */
  readonly onBug: (error: unknown) => void;
}

/** Of what an action returns: UTF-16 units of text, and Base64 units of all images and sounds together. */
const most = { text: 64 * 1024, media: 8 * 1024 * 1024 };

/** A card must not run for ever. */
const timeLimitSeconds = 600;

/**
 * Does what was approved, through the tool that proposed it, if that is still offered. What it returns is as a model and a
 * human may see it: redacted, printable, and cut where it is too long.
 * @throws ToolError, redacted
 */
export async function performAction(
  toolName: string,
  proposal: ActionProposal,
  signal: AbortSignal,
  { catalog, clock, ports, onBug }: PerformDependencies,
): Promise<ActionResult> {
  const tool = catalog.tools.find(({ name }) => name === toolName);
  const all = { ...ports, tickets: { outcome: async () => undefined } };
  const perform = async (limited: AbortSignal): Promise<ActionResult> => {
    if (tool !== undefined && 'propose' in tool && tool.act !== undefined && !catalog.isTurnedOff(tool)) {
      return tool.act(proposal, all, limited);
    }
    throw new ToolError('unavailable', 'The tool is no longer offered; nothing was done.', 'Go on without it.');
  };
  try {
    return presentable(await withTimeLimit(clock, timeLimitSeconds, signal, perform));
  } catch (error) {
    if (!(error instanceof ToolError)) onBug(error);
    throw redactError(asToolError(error)).error;
  }
}

function presentable({ text, isError, media = [] }: ActionResult): ActionResult {
  const { kept, dropped } = fitting(media);
  const notes = dropped === 0 ? [] : [`(${dropped} images or sounds were too large and are left out)`];
  return {
    text: [cut(printable(redactText(text).text)), ...notes].filter((part) => part !== '').join('\n'),
    ...(isError && { isError }),
    ...(kept.length > 0 && { media: kept }),
  };
}

function cut(text: string): string {
  if (text.length <= most.text) return text;
  return `${text.slice(0, most.text).toWellFormed()}\n(cut here; ${text.length - most.text} more characters)`;
}

function fitting(media: readonly Media[]): { readonly kept: readonly Media[]; readonly dropped: number } {
  let room = most.media;
  const kept = media.filter(({ data }) => {
    if (data.length > room) return false;
    room -= data.length;
    return true;
  });
  return { kept, dropped: media.length - kept.length };
}
