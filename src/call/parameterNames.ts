import { closestName } from '#policy/ruleSchema.ts';
import { isRecord } from './isRecord.ts';
import type { JsonSchema } from './tool.ts';

/** The schemas of the fields of an object, by name. */
export type Properties = Readonly<Record<string, JsonSchema>>;

/** Returns the schemas of the fields of an object schema; none for any other schema. */
export function propertiesOf(schema: unknown): Properties {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(properties)) return {};
  const known = knownProperties.get(properties);
  if (known !== undefined) return known;
  const found: Properties = Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => (isRecord(each) ? [[name, each]] : [])),
  );
  knownProperties.set(properties, found);
  return found;
}

/** The schemas of tools never change, and each call asks for the properties of its tool several times. */
const knownProperties = new WeakMap<object, Properties>();

/** The names that other tools give to one or several files, as {@link plainName} writes them. */
export const fileNames = [
  'absolutepath',
  'dir',
  'directory',
  'directorypath',
  'dirpath',
  'file',
  'filename',
  'filepath',
  'filepaths',
  'files',
  'folder',
  'path',
  'paths',
  'relativepath',
  'relativeworkspacepath',
  'targetfile',
  'uri',
];

const symbolNames = ['identifier', 'name', 'namepath', 'namepathpattern', 'symbol', 'symbolname'];

/**
 * Names that models use for a parameter, from the tools of Claude Code, Codex, Copilot, Cursor, Gemini CLI and Serena. They are
 * compared as {@link plainName} writes them, so `file_path` and `filePath` are one.
 */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  path: [...fileNames, 'oldpath', 'source', 'src'],
  paths: fileNames,
  files: ['filepaths', 'paths'],
  to: ['dest', 'destination', 'newpath', 'target'],
  query: ['glob', 'globpattern', 'pattern', 'q', 'regex', 'regexp', 'search', 'substringpattern', ...symbolNames],
  isRegex: ['isregexp', 'useregex'],
  include: ['fileglob', 'glob', 'globs', 'includepattern', 'pathsincludeglob'],
  exclude: ['excludepattern', 'pathsexcludeglob'],
  linesBefore: ['b', 'before', 'beforecontext', 'contextbefore', 'contextlinesbefore'],
  linesAfter: ['a', 'after', 'aftercontext', 'contextafter', 'contextlinesafter'],
  maxResults: ['headlimit', 'limit'],
  firstLine: ['line', 'linenumber', 'linestart', 'offset', 'startline', 'startlineoneindexed'],
  lastLine: ['endline', 'endlineoneindexedinclusive', 'lineend'],
  symbol: symbolNames,
  oldText: ['oldstr', 'oldstring'],
  newText: ['body', 'content', 'contents', 'newstr', 'newstring', 'replacement', 'text'],
  content: ['contents', 'filetext', 'text'],
  patch: ['diff', 'input', 'patchtext'],
  depth: ['maxdepth'],
  withCode: ['includebody', 'includecode'],
  reason: ['explanation'],
};

/** Returns a name without case, `_` and `-`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Returns the parameter that a name stands for: the same but for its spelling, or the only one with this synonym. */
export function parameterFor(name: string, properties: Properties): string | undefined {
  const plain = plainName(name);
  const names = Object.keys(properties);
  const same = names.filter((each) => plainName(each) === plain);
  const isMeant = (each: string): boolean =>
    synonymsOf(each).includes(plain) &&
    !(each === 'query' && synonymsOf('include').includes(plain) && names.includes('include'));
  // A glob is the query of a tool that takes no globs besides.
  const meant = same.length > 0 ? same : names.filter(isMeant);
  return meant.length === 1 ? meant[0] : undefined;
}

function synonymsOf(name: string): readonly string[] {
  return Object.hasOwn(synonyms, name) ? (synonyms[name] ?? []) : [];
}

/** Returns the parameter with the most similar name or synonym, for "did you mean"; undefined when none is similar. */
export function nearestParameter(name: string, properties: Properties): string | undefined {
  const known = Object.keys(properties).flatMap((each) =>
    [plainName(each), ...synonymsOf(each)].map((plain) => ({ each, plain })),
  );
  const nearest = closestName(
    plainName(name),
    known.map(({ plain }) => plain),
  );
  return known.find(({ plain }) => plain === nearest)?.each;
}
