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
}

/** The document of the approvals page: no inline style, no script but ours, no network. */
export function approvalsHtml({ nonce, secret, cspSource, scriptUri, styleUri, language, title }: PageSources): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}; font-src ${cspSource}; img-src ${cspSource}`;
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(styleUri)}">
</head>
<body data-secret="${escaped(secret)}">
<h1 class="spoken">${escaped(title)}</h1>
<script nonce="${escaped(nonce)}" src="${escaped(scriptUri)}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
