import { readFileSync } from 'node:fs';
import * as prettier from 'prettier';
import type { Tool } from '#call/tool.ts';
import { settings } from '#main/contributions/settings.ts';
import { tools } from '#tools/index.ts';

const markers = /(?<=<!-- tools: [^>]*-->\n)[^]*(?=<!-- \/tools -->)/;

/** A row of the table of settings: up to its default, and the default. */
const settingRow = /(\| `drawbridge\.([\w.]+)` *\|)[^|]*(?=\|)/g;

/**
 * `README.md` with a row for each tool between its two markers and the default of each setting that has a row, formatted as the
 * repository is.
 */
export async function readmeWithTables(): Promise<string> {
  const readme = readFileSync('README.md', 'utf8');
  if (!markers.test(readme)) throw new Error('README.md has lost the markers around its table of tools');
  const table = ['| tool | what |', '| --- | --- |', ...tools.map(row)].join('\n');
  const text = readme
    .replace(markers, () => `\n${table}\n\n`)
    .replaceAll(settingRow, (_, start: string, name: string) => `${start} \`${defaultOf(name)}\` `);
  return prettier.format(text, { ...(await prettier.resolveConfig('README.md')), parser: 'markdown' });
}

function row(tool: Tool): string {
  const sentences = [
    tool.summary ?? firstSentence(tool.description),
    ...('propose' in tool ? ['Waits for you.'] : []),
    ...(tool.isOptional ? ['Off until you turn it on.'] : []),
  ];
  const text = sentences.join(' ').replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, '`$&`');
  return `| \`${tool.name}\` | ${text.replaceAll('|', '\\|')} |`;
}

function firstSentence(description: string): string {
  return /^.*?\.(?= |$)/s.exec(description)?.[0] ?? description;
}

function defaultOf(name: string): string {
  const value = settings[name]?.default;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
