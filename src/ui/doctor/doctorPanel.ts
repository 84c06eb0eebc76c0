import * as vscode from 'vscode';
import type { Redact } from '#audit/redactor.ts';
import type { DoctorFacts } from '#connect/doctor/facts.ts';
import type { Finding } from '#connect/doctor/finding.ts';
import { diagnose, verdict } from '#connect/editor/doctor/diagnose.ts';
import { doctorHtml } from './doctorHtml.ts';

export interface DoctorOptions {
  readonly extensionUri: vscode.Uri;
  readonly facts: () => Promise<DoctorFacts>;
  readonly redact: Redact;
}

/** Shows in an editor page why an assistant may not reach this window, and what to do. Each run renders the page again. */
export class Doctor {
  readonly #options: DoctorOptions;
  #panel: vscode.WebviewPanel | undefined;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /** Collects the facts, with progress, and shows the findings. */
  async run(): Promise<void> {
    const { facts, redact } = this.#options;
    const title = vscode.l10n.t('Checking whether assistants can connect');
    const location = vscode.ProgressLocation.Window;
    const known = await vscode.window.withProgress({ location, title }, facts);
    this.#show(diagnose(known).map((finding) => redacted(finding, redact)));
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #show(findings: readonly Finding[]): void {
    const { extensionUri } = this.#options;
    const { t } = vscode.l10n;
    const title = t('Drawbridge Doctor');
    this.#panel ??= this.#open(title, [...linkedCommands, 'drawbridge.doctor']);
    const { webview } = this.#panel;
    webview.html = doctorHtml({
      title,
      verdict: verdict(findings),
      findings,
      severities: { error: t('Error'), warning: t('Warning'), information: t('Information'), good: t('OK') },
      again: { title: t('Check Again'), command: 'drawbridge.doctor' },
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'media', 'doctor.css')).toString(),
      cspSource: webview.cspSource,
      language: vscode.env.language,
    });
    this.#panel.reveal();
  }

  #open(title: string, enableCommandUris: readonly string[]): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel('drawbridge.doctor', title, vscode.ViewColumn.Active, {
      enableCommandUris,
      enableFindWidget: true,
      localResourceRoots: [vscode.Uri.joinPath(this.#options.extensionUri, 'media')],
    });
    panel.onDidDispose(() => (this.#panel = undefined));
    return panel;
  }
}

/** The commands that findings link to. */
const linkedCommands = [
  'drawbridge.start',
  'drawbridge.showLog',
  'drawbridge.enableEdits',
  'drawbridge.connectAssistant',
  'drawbridge.connections.focus',
  'drawbridge.retryHttpListener',
  'vscode.openFolder',
  'workbench.trust.manage',
  'workbench.action.reloadWindow',
  'workbench.action.terminal.new',
];

function redacted(finding: Finding, redact: Redact): Finding {
  const { text, advice } = finding;
  return { ...finding, text: redact(text), ...(advice !== undefined && { advice: redact(advice) }) };
}
