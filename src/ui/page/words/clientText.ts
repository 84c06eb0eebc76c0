import type { ClientInfo } from '#base/principal.ts';
import { plain, shortened } from '#base/visibleText.ts';
import type { Translate } from './translate.ts';
import type { Card } from './view.ts';

/** Characters of a name that has a line to itself. */
export const nameLength = 60;

/** The names of products, by the name that their client gives on the wire. */
const products: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  'claude-ai': 'Claude',
  codex: 'Codex',
  'codex-mcp-client': 'Codex',
  'gemini-cli-mcp-client': 'Gemini CLI',
  'gemini-cli': 'Gemini CLI',
  'github-copilot-cli': 'GitHub Copilot CLI',
  'copilot-cli': 'GitHub Copilot CLI',
  'cursor-vscode': 'Cursor',
  cursor: 'Cursor',
  opencode: 'opencode',
  'qwen-code': 'Qwen Code',
  'qwen-cli-mcp-client-drawbridge': 'Qwen Code',
  'Visual Studio Code': 'VS Code',
};

/** Returns the name of a client, short enough for a line: the name of the product where the wire has another one. */
export function clientName(client: ClientInfo | undefined, t: Translate): string {
  const name = client?.name ?? t('Unknown assistant');
  return shortened(plain(Object.hasOwn(products, name) ? (products[name] ?? name) : name), nameLength);
}

/** The number of colours that badges of clients have. */
const colours = 8;

/** Returns the letters and the colour that tell the cards of one client from those of another. */
export function badgeOf(name: string): Card['who']['badge'] {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const [first = '?', second] = words;
  const letters = second === undefined ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`;
  const sum = Array.from(name, (character) => character.codePointAt(0) ?? 0).reduce(
    (all, code) => (all * 31 + code) % 65_521,
    7,
  );
  return { letters, colour: sum % colours };
}

/** Says who asks, when, and with which tool of its own. */
export function whoAsks(
  {
    client,
    time,
    ownTool,
    edit = 1,
  }: {
    client: ClientInfo | undefined;
    time: number;
    /** The assistant's own tool, such as "Edit"; absent for a tool of Drawbridge. */
    ownTool?: string | undefined;
    /** The number of the edit in the assistant's turn, from 1; absent when the turn is not known. */
    edit?: number | undefined;
  },
  t: Translate,
): Card['who'] {
  const { name, version } = client ?? { name: t('Unknown assistant'), version: '' };
  const claimed = shortened(plain(`${name} ${version}`), nameLength * 2);
  return {
    client: clientName(client, t),
    badge: badgeOf(clientName(client, t)),
    claim: t('{0}: the name that the assistant reports, not verified', claimed),
    time,
    rest: [
      ...(ownTool === undefined ? [] : [t('with its own tool {0}', shortened(plain(ownTool), nameLength))]),
      ...(edit < 2 ? [] : [t('edit {0} of this turn', edit)]),
    ],
  };
}
