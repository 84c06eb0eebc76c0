import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactedJson } from '#audit/redactRecord.ts';

const nothing = { redact: same, redactPath: same, redactKnown: same };

function same(text: string): string {
  return text;
}

test('equals JSON.stringify when a record has no secrets', () => {
  const field = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined), fc.constant(NaN));
  const record = fc.dictionary(fc.string(), fc.oneof(field, fc.array(field)));
  fc.assert(
    fc.property(record, (each) => {
      expect(redactedJson(each, nothing)).toBe(JSON.stringify(each));
    }),
  );
});

test('redacts every text at any depth, by the kind of its field', () => {
  const said = { redact: () => 'R', redactPath: () => 'P', redactKnown: (json: string) => `${json}K` };
  const record = { event: 'e', tool: 't', resources: [{ path: 'p', folder: 'f', protected: true }], explain: ['x', 1] };
  expect(redactedJson(record, said)).toBe(
    '{"event":"e","tool":"R","resources":[{"path":"P","folder":"P","protected":true}],"explain":["R",1]}K',
  );
});
