/** Which room of the product each file belongs to, for figures by room; `test/boundaries/rooms.ts` says what a room may import. */
import { deepestRoom, rooms } from './boundaries/rooms.ts';

/** The rooms, from the ground up; what reads settings for the policy counts as policy. */
export const roomNames: readonly string[] = Object.keys(rooms).filter((name) => name !== 'policy/editor');

/** The room of a source file. @param file relative to the repository, with `/`; undefined for what is no source */
export function roomOf(file: string): string | undefined {
  return file.startsWith('src/') ? deepestRoom(roomNames, 'src', file) : undefined;
}

/** The room that a test is about, which is the folder of its own name. @param test relative to the repository, with `/` */
export function roomOfTest(test: string): string | undefined {
  if (test.startsWith('test/pages/')) return 'ui/page';
  return deepestRoom(roomNames, 'test', test);
}
