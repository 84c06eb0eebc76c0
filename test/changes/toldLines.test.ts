import { describe, expect, it } from 'vitest';
import { characters, githubToken } from '../fakes/secrets.ts';
import { edit, judged, setUp } from './queueSetUp.ts';

/** Returns what an assistant is told of an edit that gives a secret anew. */
async function toldOf(secret: string, guess: string) {
  const textWith = (one: string): string => `const a = "${one}";\nurl\n`;
  const t = setUp({ '/w/a': textWith(secret) });
  const outcome = await t.ask([edit('a', textWith(secret), textWith(guess))], {
    judgement: judged({ effect: 'allow' }),
  });
  await t.queue.settled();
  const { status, files, next } = outcome;
  return { status, files: files.map(({ lastModified: _lastModified, ...file }) => file), next };
}

describe('A33: the outcome of an edit that gives a secret anew', () => {
  it('is the same whether it is the same secret or not', async () => {
    const right = await toldOf(githubToken, githubToken);
    expect(right).toMatchObject({ status: 'applied', files: [{ state: 'applied', addedLines: 0, removedLines: 0 }] });
    expect(await toldOf(`ghp_${characters(37).slice(1)}`, githubToken)).toEqual(right);
    expect(await toldOf(`ghp_${characters(60)}`, githubToken)).toEqual(right);
  });

  it('counts the lines that the assistant sees change, and those that the user sees change stay on the card', async () => {
    const told = await toldOf(githubToken, 'env');
    expect(told.files).toMatchObject([{ addedLines: 1, removedLines: 1 }]);
  });
});
