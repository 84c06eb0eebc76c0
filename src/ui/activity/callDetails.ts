import { formatDuration } from '#audit/logLines.ts';
import type { CallSummary } from '#audit/recentCalls.ts';
import { plain } from '#base/visibleText.ts';
import { clientText, outcomeText } from './callItem.ts';

/** Formats a call as text for the clipboard, one fact per line. */
export function callDetails(call: CallSummary): string {
  const { decision, definition, approvalId, durationMilliseconds, bytesOut } = call;
  const rule = [decision?.ruleId, decision?.scope].filter((part) => part !== undefined).join(', ');
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['call', call.id],
    ['time', new Date(call.time).toISOString()],
    ['assistant', clientText(call.client ?? '')],
    ['tool', plain(call.tool)],
    ['action', definition === undefined ? undefined : plain(definition)],
    ...call.resources.map(({ path, outside }) => ['path', plain(path ?? outside ?? '')] as const),
    ['decision', decision && plain(`${decision.effect}: ${decision.reason}`)],
    ['rule', rule === '' ? undefined : plain(rule)],
    ...(decision?.explain ?? []).map((step) => ['step', plain(step)] as const),
    ['outcome', outcomeText(call)],
    ['approval', approvalId],
    ['duration', durationMilliseconds === undefined ? undefined : formatDuration(durationMilliseconds)],
    ['bytes', bytesOut === undefined ? undefined : String(bytesOut)],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`])).join('');
}
