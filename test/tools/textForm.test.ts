import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonSchema, Tool } from '#call/tool.ts';
import type { ChangeOutcome } from '#changes/approver.ts';
import { changeOutcomeSchema } from '#tools/edit/changeOutcome.ts';
import { tools } from '#tools/index.ts';
import { details } from '#tools/languageMore/getLanguageDetails.ts';

const byItsPath = 'its path addresses it as well';
const onDisk = 'of the file on disk, not of what is in it: version tells of that';
const ofLinks = 'what a link tells of a file; list_directory says it';

const ofFolders = 'a folder has a number of files instead';

const ofManySymbols = 'nothing was looked for when the name has too many symbols';
const ofPages = { truncated: 'the cursor is said, and is there only then' };
const ofOutcomes = {
  'files[].uri': byItsPath,
  'files[].lastModified': onDisk,
  'files[].size': ofLinks,
  'files[].addedLines': ofFolders,
  'files[].removedLines': ofFolders,
  'comments[].code': 'the comment names its lines',
};

/** The fields that the data of a tool has and its text omits, each with the reason why the text can do without. */
const leftOut: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  search_code: {
    'matches[].column': 'edits are addressed by text and by line',
    ...ofPages,
    'files[].uri': byItsPath,
    'files[].size': ofLinks,
    'files[].lastModified': ofLinks,
  },
  find_files: {
    'files[].uri': byItsPath,
    'files[].size': ofLinks,
    'files[].lastModified': ofLinks,
    ...ofPages,
  },
  find_references: {
    relation: ofManySymbols,
    foundBy: ofManySymbols,
    totalCount: ofManySymbols,
    ...ofPages,
    fileCount: ofManySymbols,
  },
  open_file: { uri: byItsPath },
  read_file: { uri: byItsPath, lastModified: onDisk },
  read_files: { 'files[].uri': byItsPath, 'files[].lastModified': onDisk },
};

/** The omitted fields of a tool that has no row of its own. */
function usuallyLeftOut({
  output,
}: {
  readonly output: Pick<Tool['output'], 'jsonSchema'>;
}): Readonly<Record<string, string>> {
  if (output === changeOutcomeSchema) return ofOutcomes;
  return 'nextCursor' in schema.parse(output.jsonSchema).properties ? ofPages : {};
}

const schema = z.looseObject({
  type: z.enum(['object', 'array', 'string', 'integer', 'boolean']),
  enum: z.array(z.string()).exactOptional(),
  minimum: z.number().default(0),
  properties: z.record(z.string(), z.unknown()).default({}),
  items: z.unknown().optional(),
});

/** A value of a schema with every optional field set, and all strings and numbers distinct. */
class Sample {
  /** The index of the value that enumerations take. */
  readonly #choice: number;
  /** The index in `places` of the value that differs from the sample with the same choice. */
  readonly #changed: number;
  readonly places: string[] = [];
  readonly #value: unknown;

  constructor(listed: unknown, choice: number, changed = -1) {
    this.#choice = choice;
    this.#changed = changed;
    this.#value = this.#make(listed, '');
  }

  /** Returns the text that the tool renders for the value. */
  textBy(render: (value: unknown) => string): string {
    return render(this.#value);
  }

  #make(listed: unknown, place: string): unknown {
    const { type, enum: choices, minimum, properties, items } = schema.parse(listed);
    if (type === 'array') return [this.#make(items, `${place}[]`), this.#make(items, `${place}[]`)];
    if (type === 'object') {
      const fields = Object.entries(properties);
      return Object.fromEntries(fields.map(([name, each]) => [name, this.#make(each, `${place}.${name}`)]));
    }
    if (choices?.length === 1) return choices[0];
    const number = this.places.push(place);
    const isChanged = number - 1 === this.#changed;
    if (type === 'boolean') return (this.#choice % 2 === 0) !== isChanged;
    if (type === 'integer') return minimum + number * 1000 + (isChanged ? 1 : 0);
    if (choices !== undefined) return choices[(this.#choice + (isChanged ? 1 : 0)) % choices.length];
    return `string-${number}${isChanged ? '-changed' : ''}`;
  }
}

/** The schema of a result, and the function that renders its text. */
interface Answer {
  readonly jsonSchema: JsonSchema;
  readonly text: (value: unknown) => string;
}

function answerOf(tool: Tool): Answer {
  return {
    jsonSchema: tool.output.jsonSchema,
    text: (value) => tool.render(z.custom<ChangeOutcome>().parse(value)).text,
  };
}

/** Returns the places of the values that can change without changing the text. */
function omitted({ jsonSchema, text }: Answer): readonly string[] {
  const shown = new Set<string>();
  const { places } = new Sample(jsonSchema, 0);
  for (let choice = 0; choice < 12; choice += 1) {
    const before = new Sample(jsonSchema, choice).textBy(text);
    for (const [number, place] of places.entries()) {
      if (new Sample(jsonSchema, choice, number).textBy(text) !== before) shown.add(place);
    }
  }
  return [...new Set(places)].filter((place) => !shown.has(place)).map((place) => place.slice(1));
}

describe('the text of a result', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'changes when any value of the data of %s changes',
    (name, tool) => {
      expect(omitted(answerOf(tool))).toEqual(Object.keys(leftOut[name] ?? usuallyLeftOut(tool)));
    },
  );

  it.each(Object.entries(details))(
    'changes when any value of the data of get_language_details, kind %s, changes',
    (_, detail) => {
      const answer = {
        jsonSchema: detail.output.jsonSchema,
        text: (value: unknown) => detail.text(z.custom<Parameters<typeof detail.text>[0]>().parse(value)),
      };
      expect(omitted(answer)).toEqual(Object.keys(usuallyLeftOut(detail)));
    },
  );
});
