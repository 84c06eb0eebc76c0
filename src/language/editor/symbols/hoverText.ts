import type * as vscode from 'vscode';

type Content = vscode.Hover['contents'][number];

/** Converts hovers to plain Markdown, one string a service. Strings that begin with code come first. */
export function hoverTexts(hovers: readonly Pick<vscode.Hover, 'contents'>[]): readonly string[] {
  const texts = hovers
    .map(({ contents }) =>
      contents
        .map(contentText)
        .filter((text) => text !== '')
        .join('\n\n'),
    )
    .filter((text) => text !== '');
  const isCode = (text: string): boolean => /^(```|~~~)/.test(text);
  return [...new Set(texts)].toSorted((one, other) => Number(isCode(other)) - Number(isCode(one)));
}

/** Converts one part of a hover to plain Markdown. */
export function contentText(content: Content): string {
  if (typeof content === 'string') return plainMarkdown(content);
  if ('language' in content) return fenced(content);
  return plainMarkdown(content.value);
}

function fenced({ language, value }: { readonly language: string; readonly value: string }): string {
  const longest = Math.max(2, ...[...value.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${value}\n${fence}`;
}

/** Matches code blocks and code spans, which stay unchanged. */
const code = /(^ {0,3}(?:```|~~~)[^\n]*\n[\s\S]*?^ {0,3}(?:```|~~~)[`~]*[ \t]*$|(`+)(?!`)[^\n]*?[^`]\2(?!`))/m;

function plainMarkdown(markdown: string): string {
  const parts: string[] = [];
  let rest = markdown.replaceAll('\r\n', '\n');
  for (let found = code.exec(rest); found !== null; found = code.exec(rest)) {
    parts.push(plainProse(rest.slice(0, found.index)), found[0]);
    rest = rest.slice(found.index + found[0].length);
  }
  return [...parts, plainProse(rest)]
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Removes comments, icons, and links to commands or files of this machine. */
function plainProse(text: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/!?\[([^\]\n]*)\]\(\s*<?(?!https?:)[a-z][a-z0-9+.-]*:[^)\n]*\)/gi, '$1')
    .replaceAll(/\$\([a-z0-9-]+(?:~[a-z]+)?\)/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/[ \t]+(?=\n)/g, '');
}
