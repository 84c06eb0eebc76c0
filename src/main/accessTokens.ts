import * as vscode from 'vscode';
import type { Log } from '#audit/editor/log.ts';
import type { Redactor } from '#audit/redactor.ts';
import type { Clock } from '#base/clock.ts';
import type { Principal } from '#base/principal.ts';
import type { ApprovalQueue } from '#changes/queue.ts';
import { AccessTokens } from '#home/editor/accessTokens.ts';
import { makeSecret } from '#mcp/auth.ts';

export interface AccessTokensOptions {
  /** The folder with the file of the tokens. */
  readonly home: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly log: Log;
}

/** Creates the access tokens of the user. The record and the log hide every secret that is made. */
export function createAccessTokens({ home, clock, redactor, log }: AccessTokensOptions): AccessTokens {
  return new AccessTokens({
    home,
    clock,
    makeSecret() {
      const secret = makeSecret();
      redactor.add(secret);
      return secret;
    },
    onError: (error) => log.error('The file of the access tokens met an error', error),
  });
}

/** Withdraws the approvals of revoked tokens. @param isRevoked tells whether a principal's token of that time is revoked */
export function withdrawRevoked(
  approvals: Pick<ApprovalQueue, 'withdraw' | 'withdrawReads'>,
  clock: Clock,
  isRevoked: (principal: Principal, time: number) => boolean,
): void {
  approvals.withdraw(
    ({ principal, requestedAt }) => isRevoked(principal, requestedAt),
    vscode.l10n.t('Its access token was revoked; nothing was changed.'),
  );
  approvals.withdrawReads((principal) => isRevoked(principal, clock.now()));
}
