import { commandUri, type Finding } from '#connect/doctor/finding.ts';
import { escaped, pageHead } from '../pageHead.ts';

export interface DoctorPage {
  readonly title: string;
  /** The summary of the findings. */
  readonly verdict: string;
  readonly findings: readonly Finding[];
  /** The names of the severities. */
  readonly severities: Readonly<Record<Finding['severity'], string>>;
  readonly again: { readonly title: string; readonly command: string };
  readonly styleUri: string;
  /** The webview's own origin. */
  readonly cspSource: string;
  /** BCP 47 tag of the editor's display language. */
  readonly language: string;
}

const signs: Readonly<Record<Finding['severity'], string>> = { error: '✕', warning: '!', information: 'i', good: '✓' };

/** Renders the findings of Doctor as a page without scripts, whose links run commands. */
export function doctorHtml(page: DoctorPage): string {
  const { title, verdict, findings, severities, again, styleUri, cspSource, language } = page;
  const policy = `default-src 'none'; style-src ${cspSource}`;
  const items = findings.map((finding) => findingHtml(finding, severities[finding.severity]));
  return `${pageHead({ language, policy, title, styleUri })}
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(verdict)}</p>
<ul role="list">
${items.join('\n')}
</ul>
<p>${link(again)}</p>
</main>
</body>
</html>`;
}

function findingHtml({ severity, text, advice, action }: Finding, name: string): string {
  const sign = `<span class="sign" role="img" aria-label="${escaped(name)}">${signs[severity]}</span>`;
  const more = [advice === undefined ? '' : escaped(advice), action === undefined ? '' : link(action)].filter(Boolean);
  const todo = more.length === 0 ? '' : `<p class="advice">${more.join(' ')}</p>`;
  return `<li class="${severity}">${sign}<div><p>${escaped(text)}</p>${todo}</div></li>`;
}

function link(action: { readonly title: string; readonly command: string }): string {
  return `<a href="${escaped(commandUri(action))}">${escaped(action.title)}</a>`;
}
