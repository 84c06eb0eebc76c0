/** Keys whose values run code or fetch it (approval-and-security.md 3.3). */
const sensitive = /^(scripts|bin|.*install.*|.*dependencies|workspaces|packageManager|overrides|resolutions|pnpm)$/i;

/** Whether a change of a `package.json` touches what runs later; true when either text is no JSON object. */
export function changesWhatPackageRuns(base: string, result: string): boolean {
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
