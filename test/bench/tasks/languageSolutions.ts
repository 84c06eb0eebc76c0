import * as z from 'zod';
import { applyAction, change, definitionOf, findUses, firstProblem } from './languageTools.ts';
import type { TaskAssistant } from './realTask.ts';
import { applyEdits } from './textTools.ts';

const cart = 'src/lib/cart.ts';
const dates = 'src/lib/dates.ts';
const text = 'src/lib/text.ts';
const validators = 'src/lib/validators.ts';

const outline = z.looseObject({
  files: z.array(
    z.looseObject({ symbols: z.array(z.looseObject({ name: z.string(), kind: z.string(), firstLine: z.int() })) }),
  ),
});
const calls = z.looseObject({ calls: z.array(z.looseObject({ name: z.string() })) });
const found = z.looseObject({ files: z.array(z.looseObject({ path: z.string() })) });

export async function changeSignature(assistant: TaskAssistant): Promise<void> {
  const uses = await findUses(assistant, { symbol: 'Cart.addItem' });
  const callers = uses.filter(({ path }) => path !== cart);
  await applyEdits(assistant, [
    {
      path: cart,
      oldText: 'addItem(item: CartItem, quantity: number): void {',
      newText: 'addItem({ item, quantity }: { readonly item: CartItem; readonly quantity: number }): void {',
    },
    ...callers.map(({ path }) => ({
      path,
      oldText: 'cart.addItem(item, 2)',
      newText: 'cart.addItem({ item, quantity: 2 })',
    })),
  ]);
}

export const renameTo =
  (symbol: string, newName: string) =>
  (assistant: TaskAssistant): Promise<void> =>
    change(assistant, 'rename_symbol', { symbol, newName, reason: 'As asked.' });

export async function moveFunction(assistant: TaskAssistant): Promise<void> {
  const { path, firstLine, lastLine } = await definitionOf(assistant, { symbol: 'slugOf' });
  await applyAction(assistant, { path, firstLine, lastLine, kinds: ['refactor.move'] }, /new file/);
  await change(assistant, 'move_file', { path: 'src/lib/slugOf.ts', to: 'src/lib/slug.ts', reason: 'As asked.' });
}

export async function removeUnusedImports(assistant: TaskAssistant): Promise<void> {
  const { files } = found.parse(await assistant.call('find_files', { query: 'src/pages/*.tsx' }));
  await organize(
    assistant,
    files.map(({ path }) => path),
  );
}

export const organizeImports = (assistant: TaskAssistant): Promise<void> =>
  organize(assistant, ['src/untidy/imports.ts']);

function organize(assistant: TaskAssistant, paths: readonly string[]): Promise<void> {
  return change(assistant, 'format_files', { paths, steps: ['organizeImports'] });
}

export const formatFile = (assistant: TaskAssistant): Promise<void> =>
  change(assistant, 'format_files', { paths: ['src/untidy/spacing.ts'] });

export async function findDefinition(assistant: TaskAssistant): Promise<unknown> {
  const { path, code } = await definitionOf(assistant, { symbol: 'checkout' });
  return { path, code };
}

export async function findImplementations(assistant: TaskAssistant): Promise<unknown> {
  const uses = await findUses(assistant, { symbol: 'KeyValueStore', relation: 'implementations' });
  return [...new Set(uses.map(({ path }) => path))].toSorted();
}

export async function findCallers(assistant: TaskAssistant): Promise<unknown> {
  const hierarchy = calls.parse(await assistant.call('get_call_hierarchy', { symbol: 'post', depth: 2 }));
  return hierarchy.calls.map(({ name }) => name).toSorted();
}

/** Built-in TypeScript has no type hierarchy, and its implementations of a class are the classes that extend it. */
export async function findSubclasses(assistant: TaskAssistant): Promise<unknown> {
  const uses = await findUses(assistant, { symbol: 'Shape', relation: 'implementations' });
  return [...new Set(uses.flatMap(({ code = '' }) => /class (\w+) extends/.exec(code)?.[1] ?? []))].toSorted();
}

export async function outlineFile(assistant: TaskAssistant): Promise<unknown> {
  const { files } = outline.parse(await assistant.call('get_outline', { paths: [validators], depth: 1 }));
  return files[0]?.symbols.map(({ name, firstLine }) => ({ name, line: firstLine }));
}

export async function findWrites(assistant: TaskAssistant): Promise<unknown> {
  const query = { symbol: 'user', path: 'src/lib/session.ts:4', relation: 'writes' };
  const uses = await findUses(assistant, query);
  // The value that it begins with is written where it is declared.
  return uses.filter(({ code = '' }) => !code.startsWith('export const')).map(({ path, line }) => `${path}:${line}`);
}

export const fixProblem =
  (path: string, title: RegExp) =>
  async (assistant: TaskAssistant): Promise<void> => {
    const firstLine = await firstProblem(assistant, path);
    await applyAction(assistant, { path, firstLine, kinds: ['quickfix'] }, title);
  };

export async function fixTypeError(assistant: TaskAssistant): Promise<void> {
  const path = 'src/broken/wrongType.ts';
  const line = await firstProblem(assistant, path);
  await definitionOf(assistant, { path: `${path}:${line - 1}`, symbol: 'twice' });
  await applyEdits(assistant, [{ path, oldText: '(cents: number): number', newText: '(cents: number): string' }]);
}

export async function replaceBody(assistant: TaskAssistant): Promise<void> {
  const { code } = await definitionOf(assistant, { symbol: 'isEmail' });
  const newText = code.replace("text.includes('@')", '/^[^@]+@[^@]+$/.test(text)');
  await change(assistant, 'edit_symbol', { symbol: 'isEmail', path: validators, operation: 'replace', newText });
}

export async function insertFunction(assistant: TaskAssistant): Promise<void> {
  const newText = 'export function shout(text: string): string {\n  return text.toUpperCase();\n}';
  await change(assistant, 'edit_symbol', { symbol: 'titleCase', path: text, operation: 'insert_after', newText });
}

export async function deleteUnused(assistant: TaskAssistant): Promise<void> {
  const { files } = outline.parse(await assistant.call('get_outline', { paths: [dates], depth: 1 }));
  for (const { name } of files[0]?.symbols ?? []) {
    const uses = await findUses(assistant, { symbol: name, path: dates });
    if (uses.length > 1) continue;
    await change(assistant, 'edit_symbol', { symbol: name, path: dates, operation: 'replace', newText: '' });
  }
}
