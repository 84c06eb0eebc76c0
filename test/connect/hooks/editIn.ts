import type { HookReport } from '#base/nativeCommand.ts';
import type { NativeCall } from '#base/nativeEdit.ts';

/** Returns what an adapter read when it is an edit. */
export function editIn(report: HookReport | undefined): NativeCall | undefined {
  return report !== undefined && 'edits' in report ? report : undefined;
}
