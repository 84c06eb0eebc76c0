import type { FileChange } from '#base/proposal.ts';
import { textsOf } from '#base/proposal.ts';

/** Keys whose values run code or fetch it (threat row A25). */
const sensitive =
  /^(scripts|bin|.*install.*|.*dependencies|workspaces|packageManager|overrides|resolutions|pnpm|husky|lint-staged|simple-git-hooks|gitHooks)$/i;

/** The pattern that protects a `package.json` of which the change touches what runs later. */
export function packageProtection(change: FileChange): string | undefined {
  return touchesPackage(change) ? '**/package.json' : undefined;
}

function touchesPackage(change: FileChange): boolean {
  // What a moved file holds is not part of the proposal, so either name alone counts.
  if (change.kind === 'move') return isPackage(change.path.realPath) || isPackage(change.to.realPath);
  if (!isPackage(change.path.realPath)) return false;
  const texts = textsOf(change);
  if (texts === undefined) return true;
  // A file that is not there runs nothing.
  const base = change.kind === 'create' ? '{}' : texts.base;
  return changesWhatPackageRuns(base, change.kind === 'delete' ? '{}' : texts.result);
}

function isPackage(path: string): boolean {
  return /(^|[/\\])package\.json$/i.test(path);
}

/** Whether a change of a `package.json` touches what runs later; true when either text is no JSON object. */
function changesWhatPackageRuns(base: string, result: string): boolean {
  const before = sensitivePart(base);
  const after = sensitivePart(result);
  return before === undefined || after === undefined || before !== after;
}

function sensitivePart(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return JSON.stringify(Object.entries(parsed).filter(([key]) => sensitive.test(key)));
  } catch {
    return undefined;
  }
}
