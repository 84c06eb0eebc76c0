import { defineCompletion } from '#call/completion.ts';
import { bestFirst } from './bestFirst.ts';

/** Completes names that language services know, of one file when the `path` argument is given. */
export const symbolNames = defineCompletion({
  judgedAs: 'find_symbols',
  needs: ['symbols'],
  async complete(typed, { path }, { symbols }, signal) {
    const places = await symbols.find(typed, signal);
    const wanted = path === undefined || path === '' ? places : places.filter((place) => place.path === path);
    const names = [...new Set(wanted.map(({ name }) => name))];
    const best = bestFirst(names, typed);
    // Language services also find names that have the letters apart.
    const values = [...best, ...names.filter((name) => !best.includes(name))];
    return { values, total: values.length };
  },
});
