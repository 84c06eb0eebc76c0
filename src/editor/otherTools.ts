import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { canonicalJson } from '#base/canonicalJson.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { OtherTool, OtherToolResult, OtherTools } from '#call/ports/otherTools.ts';
import type { RegisteredTools } from './extensionApi.ts';
import { readParts, readRegisteredResult } from './otherTools/resultParts.ts';

type EditorTool = vscode.LanguageModelToolInformation;
type OwnTools = readonly { readonly name: string; readonly description: string }[];

export interface OtherToolsOptions {
  readonly registered: Pick<RegisteredTools, 'all' | 'onDidChange'>;
  /** Returns the tools of Drawbridge, which the editor's own MCP client may list as tools of the editor. */
  readonly own: () => OwnTools;
  readonly clock: Pick<Clock, 'after'>;
}

/** The VS Code API has no event for changed tools, so they are compared this often; that costs a few microseconds. */
const lookMilliseconds = 2000;

const schemaShape = z.record(z.string(), z.unknown());

/** Returns the port to the tools of `vscode.lm` and to those that extensions gave through the API. */
export function createOtherTools({ registered, own, clock }: OtherToolsOptions): OtherTools & Subscription {
  const changed = new Emitter<void>();
  let known = '';
  let watchers = 0;
  let next: Subscription | undefined;

  const all = (): readonly OtherTool[] =>
    [
      ...editorTools(own()).flatMap((tool) => ofEditor(tool) ?? []),
      ...[...registered.all].map(([name, { title, description, inputSchema }]) =>
        withHash({ name, title, description, inputSchema: asSchema(inputSchema), provider: 'extension' }),
      ),
    ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const look = (): void => {
    const now = all()
      .map(({ hash }) => hash)
      .join();
    if (now === known) return;
    known = now;
    changed.fire();
  };
  const lookAgain = (): void => {
    look();
    next = clock.after(lookMilliseconds, lookAgain);
  };
  const subscriptions = [registered.onDidChange(look), vscode.extensions.onDidChange(look)];
  return {
    all,
    onDidChange: changed.event,
    async invoke(name, input, signal) {
      signal.throwIfAborted();
      const source = new vscode.CancellationTokenSource();
      const cancel = (): void => source.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const tool = registered.all.get(name);
        return tool === undefined
          ? await invokeOfEditor(name, input, source.token)
          : readRegisteredResult(await tool.invoke(input, source.token));
      } finally {
        signal.removeEventListener('abort', cancel);
        source.dispose();
      }
    },
    watch() {
      watchers += 1;
      if (watchers === 1) lookAgain();
      let isWatching = true;
      return {
        dispose() {
          if (!isWatching) return;
          isWatching = false;
          watchers -= 1;
          if (watchers === 0) next?.dispose();
        },
      };
    },
    dispose() {
      next?.dispose();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** Returns the tools that the editor knows, without those that lead back to Drawbridge. Forks of the editor may have no such API. */
function editorTools(own: OwnTools): readonly EditorTool[] {
  if (!('lm' in vscode) || !('tools' in vscode.lm)) return [];
  return vscode.lm.tools.filter((tool) => !isOwn(tool, own));
}

/**
 * The editor calls a tool of an MCP server `mcp_<server's name>_<tool>` and tags it `mcp`. Our own server is `drawbridge` there
 * (`drawbridge2` when something else has that name); a bridge that the user configured may have any name.
 */
function isOwn({ name, tags, description }: EditorTool, own: OwnTools): boolean {
  if (/^mcp_drawbridge\d*_/.test(name)) return true;
  if (!tags.includes('mcp')) return false;
  return own.some((tool) => name.endsWith(`_${tool.name}`) && description === tool.description) || /_relay_/.test(name);
}

async function invokeOfEditor(name: string, input: unknown, token: vscode.CancellationToken): Promise<OtherToolResult> {
  const options = { input: schemaShape.parse(input), toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(name, options, token);
  return readParts(content);
}

/** The tools made so far; VS Code returns the same frozen object until its tool changes. */
const made = new WeakMap<EditorTool, OtherTool>();

/** Returns a tool of the editor; undefined for one whose schema cannot be read, such as one that is nested without end. */
function ofEditor(tool: EditorTool): OtherTool | undefined {
  const known = made.get(tool);
  if (known !== undefined) return known;
  try {
    const { name, description, inputSchema } = tool;
    const schema = inputSchema === undefined ? '{}' : JSON.stringify(inputSchema);
    const other = withHash({ name, title: name, description, inputSchema: asSchema(schema), provider: 'editor' });
    made.set(tool, other);
    return other;
  } catch {
    // The stack of the JSON functions ends before the schema does, or the schema holds itself.
    return undefined;
  }
}

function asSchema(json: string): OtherTool['inputSchema'] {
  const parsed = schemaShape.safeParse(JSON.parse(json));
  return { ...parsed.data, type: 'object' };
}

function withHash(tool: Omit<OtherTool, 'hash'>): OtherTool {
  return { ...tool, hash: createHash('sha256').update(canonicalJson(tool)).digest('hex') };
}
