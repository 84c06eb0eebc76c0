/** `npm run test:mutation -- ...`: hand-written mutations (`lines`), or generated ones of a group of sources. */
void (process.argv[2] === 'lines' ? import('./runLines.ts') : import('./runGroups.ts'));
