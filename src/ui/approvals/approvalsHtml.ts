import { escaped, pageHead } from '../pageHead.ts';

export interface PageSources {
  /** At least 128 bits of a cryptographic random generator, hexadecimal. */
  readonly nonce: string;
  /** Of the same kind; the page sends it with every message. */
  readonly secret: string;
  /** The webview's own origin, for styles, fonts and pictures. */
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** BCP 47 tag of the editor's display language. */
  readonly language: string;
  readonly title: string;
  readonly view: 'sideBar' | 'tab';
  /** The approval that a tab shows. */
  readonly approvalId?: string;
}

/** The document of the approvals page: no inline style, no script but ours, no network. */
export function approvalsHtml(sources: PageSources): string {
  const { nonce, secret, cspSource, scriptUri, styleUri, language, title, view, approvalId } = sources;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}; font-src ${cspSource}; img-src ${cspSource}`;
  return `${pageHead({ language, policy, title, styleUri })}
<body data-secret="${escaped(secret)}" data-view="${view}" data-only="${escaped(approvalId ?? '')}">
<script nonce="${escaped(nonce)}" src="${escaped(scriptUri)}"></script>
</body>
</html>`;
}
