import * as vscode from 'vscode';
import type { DoctorFacts } from '../../doctor/facts.ts';
import type { Finding } from '../../doctor/finding.ts';
import { diagnoseAssistants, diagnoseHttp } from './diagnoseConnections.ts';
import { diagnoseGuard } from './diagnoseGuard.ts';
import { diagnoseState } from './diagnoseState.ts';
import { diagnoseOtherWindows, diagnoseWindow } from './diagnoseWindows.ts';

const order: readonly Finding['severity'][] = ['error', 'warning', 'information', 'good'];

/** Returns the findings that follow from the facts, the most severe first. */
export function diagnose(facts: DoctorFacts): readonly Finding[] {
  const findings = [
    ...diagnoseWindow(facts),
    ...diagnoseState(facts),
    ...diagnoseAssistants(facts),
    ...diagnoseGuard(facts),
    ...diagnoseHttp(facts),
    ...diagnoseOtherWindows(facts),
  ];
  return findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

/** Returns the result of all findings in one sentence. */
export function verdict(findings: readonly Finding[]): string {
  const { t } = vscode.l10n;
  const count = (severity: Finding['severity']): number => findings.filter((each) => each.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors > 0) return t('Assistants cannot work in this window yet.');
  if (warnings > 0) return t('Assistants can reach this window, but there are warnings.');
  return t('Assistants can reach this window.');
}
