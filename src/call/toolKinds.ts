import type { Tool } from './tool.ts';

/**
 * Returns the kinds of a tool, each as a tool under the name that rules, settings and the record use; the tool itself when it has
 * only one kind.
 */
export function kindsOf(tool: Tool): readonly Tool[] {
  const names = namesByKind(tool);
  return names === undefined ? [tool] : Object.values(names).map((name) => asKind(tool, name));
}

/**
 * Returns the kind of a tool that a call names; the tool itself when it has no kinds, or when the arguments name none of them.
 * @param given the arguments before validation, so that a refused call is also recorded under the name of its kind
 */
export function kindAsked(tool: Tool, given: unknown): Tool {
  const names = namesByKind(tool);
  if (names === undefined || typeof given !== 'object' || given === null || !('kind' in given)) return tool;
  const { kind } = given;
  const name = typeof kind === 'string' && Object.hasOwn(names, kind) ? names[kind] : undefined;
  return name === undefined ? tool : asKind(tool, name);
}

/** Returns the tools and all their kinds. Rules and settings may use these names, and no other tool may take them. */
export function withKinds(tools: readonly Tool[]): readonly Tool[] {
  return tools.flatMap((tool) => (namesByKind(tool) === undefined ? [tool] : [tool, ...kindsOf(tool)]));
}

function namesByKind(tool: Tool): Readonly<Record<string, string>> | undefined {
  return 'run' in tool && tool.kindOf === undefined ? tool.namesByKind : undefined;
}

function asKind(tool: Tool, name: string): Tool {
  return { ...tool, name, kindOf: tool.name };
}
