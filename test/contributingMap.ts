import { readFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { rooms } from './boundaries/rooms.ts';

const markers = /(?<=<!-- rooms: [^>]*-->\n)[^]*(?=<!-- \/rooms -->)/;

/** Returns `CONTRIBUTING.md` with a row for each room of the import map between its two markers. */
export async function contributingWithMap(): Promise<string> {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  if (!markers.test(text)) throw new Error('CONTRIBUTING.md has lost the markers around its table of rooms');
  const rows = Object.entries(rooms).map(
    ([name, room]) => `| \`${name}\` | ${room.purpose} | ${room.rooms.join(', ') || 'nothing'} |`,
  );
  const table = ['| room | what | may import |', '| --- | --- | --- |', ...rows].join('\n');
  const written = text.replace(markers, () => `\n${table}\n\n`);
  return prettier.format(written, { ...(await prettier.resolveConfig('CONTRIBUTING.md')), parser: 'markdown' });
}
