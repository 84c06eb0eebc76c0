export interface PageHead {
  /** BCP 47 tag of the editor's display language. */
  readonly language: string;
  /** What the page may load (Content-Security-Policy). */
  readonly policy: string;
  readonly title: string;
  readonly styleUri: string;
}

/** The beginning of a webview's document, up to its body. */
export function pageHead({ language, policy, title, styleUri }: PageHead): string {
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(styleUri)}">
</head>`;
}

/** Text as it stands in an element or a quoted attribute. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
