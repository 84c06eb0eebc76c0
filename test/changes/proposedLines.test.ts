import { describe, expect, test } from 'vitest';
import { proposedLines } from '#changes/proposedLines.ts';

const base = 'a\nb\nc\nd\ne\nf\n';
const current = 'a\nB\nc\ne\nnew\nf\n';

describe('the lines that a proposal would change', () => {
  test('are modified, deleted and added ones when the text is as it was', () => {
    expect(proposedLines({ base, current }, base)).toEqual({
      addedLines: 2,
      removedLines: 2,
      spans: [
        { kind: 'modified', first: 1, last: 1 },
        { kind: 'deleted', first: 3, last: 3 },
        { kind: 'added', first: 5, last: 5 },
      ],
    });
  });

  test('follow the text when the user changed other lines', () => {
    const lines = proposedLines({ base, current: 'a\nb\nc\nd\ne\nF\n' }, `mine\n${base}`);
    expect(lines?.spans).toEqual([{ kind: 'modified', first: 6, last: 6 }]);
  });

  test('are unknown when the user changed the same lines in another way', () => {
    expect(proposedLines({ base, current }, base.replace('b', 'mine'))).toBeUndefined();
  });

  test('are none when the text already holds the proposal', () => {
    expect(proposedLines({ base, current }, current)).toEqual({ addedLines: 0, removedLines: 0, spans: [] });
  });

  test('do not depend on line ends', () => {
    const text = base.replaceAll('\n', '\r\n');
    expect(proposedLines({ base, current }, text)).toEqual(proposedLines({ base, current }, base));
  });
});
