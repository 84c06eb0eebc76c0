import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { approvalsHtml } from './approvalsHtml.ts';
import type { PageConnection } from './approvalsPage.ts';

/** Where a page is drawn. */
export interface PagePlace {
  readonly extensionUri: vscode.Uri;
  readonly view: 'sideBar' | 'tab';
  readonly title: string;
  /** The approval that a tab shows. */
  readonly approvalId?: string;
  readonly isVisible: () => boolean;
}

/** Draws the review page in a webview. The page keeps nothing: it is drawn anew whenever it is shown. */
export function drawPage(webview: vscode.Webview, place: PagePlace): PageConnection {
  const { extensionUri, view, title, approvalId, isVisible } = place;
  const [dist, media] = [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')];
  const secret = randomBytes(32).toString('hex');
  webview.options = {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [dist, media],
  };
  webview.html = approvalsHtml({
    nonce: randomBytes(16).toString('hex'),
    secret,
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, view === 'tab' ? 'tab.js' : 'sidebar.js')).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(media, 'sidebar.css')).toString(),
    language: vscode.env.language,
    title,
    view,
    ...(approvalId !== undefined && { approvalId }),
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is VS Code's channel, not a window's
  return { secret, isVisible, post: (message) => void webview.postMessage(message) };
}
