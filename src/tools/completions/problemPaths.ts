import { defineCompletion } from '#call/completion.ts';
import { bestFirst } from './bestFirst.ts';

/** Completes paths of files that have problems, those with errors first. */
export const problemPaths = defineCompletion({
  judgedAs: 'get_diagnostics',
  needs: ['diagnostics'],
  async complete(typed, _others, { diagnostics }) {
    const [withErrors = [], others = []] = [true, false].map((wanted) =>
      diagnostics
        .list()
        .filter((file) => file.diagnostics.some(({ severity }) => severity === 'error') === wanted)
        .map(({ path }) => path),
    );
    const values = [...bestFirst(withErrors, typed), ...bestFirst(others, typed)];
    return { values, total: values.length };
  },
});
