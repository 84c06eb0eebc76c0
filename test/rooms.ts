/** Maps each file to its room, for figures by room; `test/boundaries/rooms.ts` says what a room may import. */
import { deepestRoom, rooms } from './boundaries/rooms.ts';

/** The rooms from the bottom up; `policy/editor` counts as policy. */
export const roomNames: readonly string[] = Object.keys(rooms).filter((name) => name !== 'policy/editor');

/** Returns the room of a source file, else undefined. @param file relative to the repository, with `/` */
export function roomOf(file: string): string | undefined {
  return file.startsWith('src/') ? deepestRoom(roomNames, 'src', file) : undefined;
}

/** Returns the room of a test, by its folder. @param test relative to the repository, with `/` */
export function roomOfTest(test: string): string | undefined {
  if (test.startsWith('test/pages/')) return 'ui/page';
  return deepestRoom(roomNames, 'test', test);
}
