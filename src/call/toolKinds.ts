import type { Tool } from './tool.ts';

/**
 * The kinds of a tool, each as a tool with the name that rules, settings and the record know it by; the tool itself when it
 * answers one kind of question only.
 */
export function kindsOf(tool: Tool): readonly Tool[] {
  const names = namesByKind(tool);
  return names === undefined ? [tool] : Object.values(names).map((name) => asKind(tool, name));
}

/**
 * The kind that a call asks for.
 * @param given the arguments as the client sent them: a call that is refused is recorded under the name of its kind too
 * @returns the tool itself when it has no kinds, or the arguments name none of them
 */
export function kindAsked(tool: Tool, given: unknown): Tool {
  const names = namesByKind(tool);
  if (names === undefined || typeof given !== 'object' || given === null || !('kind' in given)) return tool;
  const { kind } = given;
  const name = typeof kind === 'string' && Object.hasOwn(names, kind) ? names[kind] : undefined;
  return name === undefined ? tool : asKind(tool, name);
}

/** The tools and all their kinds: what rules and settings may name, and whose names no other tool may take. */
export function withKinds(tools: readonly Tool[]): readonly Tool[] {
  return tools.flatMap((tool) => (namesByKind(tool) === undefined ? [tool] : [tool, ...kindsOf(tool)]));
}

function namesByKind(tool: Tool): Readonly<Record<string, string>> | undefined {
  return 'run' in tool && tool.kindOf === undefined ? tool.namesByKind : undefined;
}

function asKind(tool: Tool, name: string): Tool {
  return { ...tool, name, kindOf: tool.name };
}
