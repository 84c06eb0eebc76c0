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
  /** Gets unexpected errors, for the log. */
  readonly onBug: (error: unknown) => void;
}

/** Limits on the result of an action: UTF-16 units of text, and Base64 characters of all images and sounds together. */
const maximum = { text: 64 * 1024, media: 8 * 1024 * 1024 };

/** Maximum time of an action, so that its card does not stay open for ever. */
const timeLimitSeconds = 600;

/**
 * Runs an approved action through the tool that proposed it, when that tool is still offered. The result is redacted, printable,
 * and cut when it is too long.
 * @throws ToolError with a redacted message
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
  if (text.length <= maximum.text) return text;
  return `${text.slice(0, maximum.text).toWellFormed()}\n(cut here; ${text.length - maximum.text} more characters)`;
}

function fitting(media: readonly Media[]): { readonly kept: readonly Media[]; readonly dropped: number } {
  let room = maximum.media;
  const kept = media.filter(({ data }) => {
    if (data.length > room) return false;
    room -= data.length;
    return true;
  });
  return { kept, dropped: media.length - kept.length };
}
