import type { Principal } from '#base/principal.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { classified } from '#policy/changedPaths.ts';
import { decide } from '#policy/decide.ts';
import { parseAddress } from '#policy/paths.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import type { Policy } from '#policy/rules.ts';
import { isRecord } from './isRecord.ts';
import { mendedArguments } from './lenientInput.ts';
import { otherSpellings, type Spelling } from './otherSpellings.ts';
import { propertiesOf, type Properties } from './parameterNames.ts';
import { resolveAddress } from './resolve.ts';
import { type Scope, scopeOf } from './roots.ts';
import type { InputSchema, Tool, ToolPorts } from './tool.ts';

/** The tool or the prompt that takes the arguments. */
export type Called = Pick<Tool, 'name' | 'risk' | 'judgedAs' | 'kindOf' | 'worksUntrusted' | 'namesNewPath'> & {
  readonly input: Pick<InputSchema<unknown>, 'jsonSchema' | 'parse' | 'isForeign'>;
  /** No line may stand behind a path. */
  readonly takesNoLines?: true;
};

export interface Understanding {
  readonly ports: Pick<ToolPorts, 'files' | 'workspace'>;
  readonly pathRules: PathRules;
  readonly policy: Policy;
  readonly principal: Principal;
  /** The roots of the client as `file:` URIs; absent when the client has no roots. */
  readonly roots?: readonly string[] | undefined;
}

/** The most addresses of one call that are looked up. */
const mostAddresses = 100;

/**
 * Returns the arguments in the form of the schema of a tool. Arguments that are valid stay as they are; only their paths are
 * looked up, and only those that look like a slip. Arguments that cannot be understood are returned as far as they could be, and
 * the validation refuses them.
 */
export function inSchemaForm({ input }: Pick<Called, 'input'>, given: unknown): unknown {
  if (input.isForeign === true || isValid(input, given)) return given;
  return mendedArguments(input.jsonSchema, given);
}

/** Returns true when the input has a field for paths of existing files, so that {@link withExistingPaths} may find some. */
export function takesPaths({ input, namesNewPath }: Called): boolean {
  if (input.isForeign === true || namesNewPath === true) return false;
  const properties = propertiesOf(input.jsonSchema);
  const fields = [properties, ...Object.values(properties).map((own) => propertiesOf(own['items']))];
  return fields.some(({ path, paths }) => path !== undefined || paths !== undefined);
}

/**
 * Returns the arguments with each path that names nothing replaced by the one file or folder that it stands for with its slips taken
 * back: `@src\a.ts`, `/src/a.ts`, `src/a.ts:12`. The replacement has to exist in the workspace, and the policy has to allow the
 * caller to read it without a question. So a closed file, and one for which the user would be asked, is never found by a slip, and
 * the answer says no more of it than that of a read. Paths of new files are taken as they are written.
 */
export async function withExistingPaths(
  called: Called,
  given: unknown,
  understanding: Understanding,
): Promise<unknown> {
  const { input } = called;
  if (!takesPaths(called) || !isRecord(given)) return given;
  const finder = new PathFinder(called, understanding);
  const found = await inFields(input.jsonSchema, given, finder);
  if (!finder.hasFound) return given;
  // A line behind a path may contradict what else the arguments say, and arguments that are refused keep their words.
  return isValid(input, found) ? found : given;
}

function isValid(input: Called['input'], given: unknown): boolean {
  try {
    input.parse(given);
    return true;
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return false;
    throw error;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** How a line behind a path is given in an object: in its fields, in the path itself, or not at all. */
function lineForm({ symbol, firstLine, newText }: Properties): 'fields' | 'path' | undefined {
  if (symbol !== undefined) return 'path';
  return firstLine === undefined || newText !== undefined ? undefined : 'fields';
}

async function inFields(schema: unknown, given: Fields, finder: PathFinder): Promise<Fields> {
  const properties = propertiesOf(schema);
  const entries = await Promise.all(
    Object.entries(given).map(async ([name, value]): Promise<readonly (readonly [string, unknown])[]> => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own === undefined) return [[name, value]];
      if (name === 'path' && typeof value === 'string') return inPath(value, properties, given, finder);
      if (!Array.isArray(value)) return [[name, value]];
      const items: readonly unknown[] = value;
      const found = items.map(async (item) => {
        if (name === 'paths' && typeof item === 'string') return (await finder.find(item, false))?.address ?? item;
        return isRecord(item) ? inFields(own['items'], item, finder) : item;
      });
      return [[name, await Promise.all(found)]];
    }),
  );
  return Object.fromEntries(entries.flat());
}

async function inPath(
  path: string,
  properties: Properties,
  given: Fields,
  finder: PathFinder,
): Promise<readonly (readonly [string, unknown])[]> {
  const form = finder.takesNoLines ? undefined : lineForm(properties);
  if (form === 'path') return [['path', await withPlace(path, finder)]];
  const takesLine = form === 'fields' && given['firstLine'] === undefined && given['lastLine'] === undefined;
  const found = await finder.find(path, takesLine);
  if (found === undefined) return [['path', path]];
  const { address, firstLine, lastLine } = found;
  return [
    ['path', address],
    ...(firstLine === undefined ? [] : [['firstLine', firstLine] as const]),
    ...(lastLine === undefined ? [] : [['lastLine', lastLine] as const]),
  ];
}

/** Returns a path that may end in a place, as the tools about symbols take it: `src/a.ts:10:5`. */
async function withPlace(path: string, finder: PathFinder): Promise<string> {
  const [, file = path, place = ''] = /^(.+?)((?::\d{1,8}){1,2})$/s.exec(path) ?? [];
  const found = await finder.find(file, place === '');
  if (found === undefined) return path;
  const { address, firstLine, column } = found;
  const line = firstLine === undefined ? place : `:${firstLine}`;
  return `${address}${line}${column === undefined ? '' : `:${column}`}`;
}

/** Finds the files that addresses with slips stand for. */
class PathFinder {
  readonly #called: Called;
  readonly #understanding: Understanding;
  #scope: Promise<Scope | undefined> | undefined;
  #left = mostAddresses;
  /** True when any address was replaced. */
  hasFound = false;

  /** True when no line may stand behind a path. */
  get takesNoLines(): boolean {
    return this.#called.takesNoLines === true;
  }

  constructor(called: Called, understanding: Understanding) {
    this.#called = called;
    this.#understanding = understanding;
  }

  /** Returns the one other way to read an address that names something which exists; undefined when the address does, or when there is none. */
  async find(address: string, takesLine: boolean): Promise<Spelling | undefined> {
    const folders = this.#understanding.ports.workspace.folders();
    const spellings = otherSpellings(address, folders, takesLine);
    if (spellings.length === 0 || this.#left <= 0) return undefined;
    this.#left -= 1;
    if ((await this.#look(address)) !== 'nothing') return undefined;
    const found = new Map<string, Spelling>();
    for (const spelling of spellings) {
      const place = await this.#look(spelling.address);
      if (typeof place !== 'object') continue;
      const key = JSON.stringify([place.realPath, spelling.firstLine, spelling.lastLine, spelling.column]);
      const known = found.get(key);
      if (known === undefined || spelling.address.length < known.address.length) found.set(key, spelling);
    }
    const [only, another] = found.values();
    if (another !== undefined) return undefined;
    this.hasFound ||= only !== undefined;
    return only;
  }

  /** Returns what an address names: something that exists and may be read, nothing, or something that is not to be told. */
  async #look(address: string): Promise<{ readonly realPath: string } | 'nothing' | 'closed'> {
    const { ports, pathRules, policy, principal, roots } = this.#understanding;
    const { files, workspace } = ports;
    if (isRefusedByText(address, workspace.folders())) return 'nothing';
    try {
      this.#scope ??= scopeOf(roots, { files, workspace });
      const scope = await this.#scope;
      const path = await resolveAddress(address, { files, workspace, pathRules, purpose: 'read', scope });
      const { name, judgedAs, kindOf, worksUntrusted, risk } = this.#called;
      const { effect } = decide({
        workspace,
        pathRules,
        policy,
        caller: { tool: judgedAs ?? name, kindOf, principal },
        risk: 'read',
        worksUntrusted: worksUntrusted === true || risk !== 'read',
        paths: [classified(path, pathRules)],
      });
      if (effect !== 'allow') return 'closed';
      return path.kind === 'missing' ? 'nothing' : path;
    } catch (error) {
      // A link that leads out, a part of the workspace that the roots leave out, a path of several folders, a pipe.
      if (error instanceof ToolError) return 'closed';
      throw error;
    }
  }
}

/** Returns true for an address outside the workspace, and for one that no tool takes, by its text alone. */
function isRefusedByText(address: string, folders: readonly WorkspaceFolder[]): boolean {
  try {
    parseAddress(address, folders);
    return false;
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}
