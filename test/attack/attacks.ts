import { afterApprovalAttacks } from './afterApproval.ts';
import { decisionAttacks } from './decisions.ts';
import { extensionAttacks } from './extensions.ts';
import { httpAttacks } from './http.ts';
import { nativeAttacks } from './native.ts';
import { pageAttacks } from './page.ts';
import { pathAttacks } from './paths.ts';
import { recordAttacks } from './record.ts';
import { redactionAttacks } from './redaction.ts';
import type { Attack } from './target.ts';
import { windowAttacks } from './windows.ts';

/** The live attacks, one list for each file. */
export const attacks: readonly Attack[] = [
  ...httpAttacks,
  ...pathAttacks,
  ...redactionAttacks,
  ...decisionAttacks,
  ...nativeAttacks,
  ...afterApprovalAttacks,
  ...extensionAttacks,
  ...pageAttacks,
  ...recordAttacks,
  ...windowAttacks,
];
