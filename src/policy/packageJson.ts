import type { FileChange } from '#base/proposal.ts';
import { textsOf } from '#base/proposal.ts';

/** Keys whose values run code or fetch it (threat row A25). */
const sensitive =
  /^(scripts|bin|.*install.*|.*dependencies|workspaces|packageManager|overrides|resolutions|pnpm|husky|lint-staged|simple-git-hooks|gitHooks)$/i;

/** Returns the pattern that protects a `package.json` when the change touches keys that run code later. */
export function packageProtection(change: FileChange): string | undefined {
  return touchesPackage(change) ? '**/package.json' : undefined;
}

function touchesPackage(change: FileChange): boolean {
  // A proposal does not contain the text of a moved file, so either name is enough to protect it.
  if (change.kind === 'move') return isPackage(change.path.realPath) || isPackage(change.to.realPath);
  if (!isPackage(change.path.realPath)) return false;
  const texts = textsOf(change);
  if (texts === undefined) return true;
  // A missing file runs nothing, as an empty object does.
  const base = change.kind === 'create' ? '{}' : texts.base;
  return changesWhatPackageRuns(base, change.kind === 'delete' ? '{}' : texts.result);
}

function isPackage(path: string): boolean {
  return /(^|[/\\])package\.json$/i.test(path);
}

/** Returns true when a change touches keys that run code later, or when either text is not a JSON object. */
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
