import { expect, it } from 'vitest';
import { globInput } from '#tools/globs.ts';
import { expectToEnd } from '../expectToEnd.ts';

it.each(['[', '{', 'a:', '*'])('H16: refuses a megabyte of %s for its length alone', (text) => {
  expectToEnd(() => {
    const { error } = globInput.safeParse(text.repeat(1_000_000));
    expect(error?.issues.map(({ code }) => code)).toEqual(['too_big']);
  });
});
