import * as vscode from 'vscode';
import { shortPath } from '../../dialogs/shortPath.ts';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';
import { portHolderText } from '../portHolderText.ts';

/** What only matters to programs that connect over HTTP with an access token. */
export function diagnoseHttp(facts: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  const { tokens, home } = facts;
  if (tokens.problem !== undefined) {
    return [
      {
        severity: 'warning',
        text: t('No access token is accepted: {0}', tokens.problem),
        advice: t('Repair or remove the file {0}.', shortPath(tokens.path, home)),
        action: { title: t('Show Connections'), command: 'drawbridge.connections.focus' },
      },
    ];
  }
  return tokens.count === 0 ? [] : [...diagnoseListener(facts), ...diagnoseProxy(facts)];
}

function diagnoseListener({ httpListener }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  // The server does not run, or no folder is open; both are told already.
  if (httpListener.kind === 'closed' || httpListener.kind === 'noFolder') return [];
  if (httpListener.kind === 'open') {
    return [{ severity: 'good', text: t('Programs with an access token can connect to {0}.', httpListener.endpoint) }];
  }
  const action = { title: t('Try Again'), command: 'drawbridge.retryHttpListener' };
  if (httpListener.kind === 'failed') {
    const text = t('Programs with an access token cannot connect to this window: {0}', httpListener.message);
    return [{ severity: 'warning', text, advice: t('Other assistants are not affected.'), action }];
  }
  const { port, holder } = httpListener;
  const text = t('The port {0} for programs with an access token is taken by {1}.', `${port}`, portHolderText(holder));
  const advice = t(
    'Do not start those programs before it is free: they would send their tokens there. Other assistants are not affected.',
  );
  return [{ severity: 'warning', text, advice, action }];
}

function diagnoseProxy({ proxyVariables }: DoctorFacts): Finding[] {
  const { t } = vscode.l10n;
  if (proxyVariables.length === 0) return [];
  return [
    {
      severity: 'warning',
      text: t('Programs that connect by a URL may ask a proxy for it ({0} is set).', proxyVariables.join(', ')),
      advice: t(
        'Add 127.0.0.1 to NO_PROXY where they are started. Assistants that are connected by their configuration are not affected.',
      ),
    },
  ];
}
