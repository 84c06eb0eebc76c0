import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod';
import { canonicalJson } from '#base/canonicalJson.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { OtherTool, OtherToolResult, OtherTools } from '#call/ports/otherTools.ts';
import type { RegisteredTools } from './extensionApi.ts';
import { editorTools, type EditorTool } from './otherTools/editorTools.ts';
import { readParts, readRegisteredResult } from './otherTools/resultParts.ts';

export interface OtherToolsOptions {
  readonly registered: Pick<RegisteredTools, 'all' | 'onDidChange'>;
  /** Tools of ours, which the editor's own MCP client gives back to us. */
  readonly own: () => readonly { readonly name: string; readonly description: string }[];
  readonly clock: Pick<Clock, 'after'>;
}

/** The editor tells nobody that its tools have changed; to look costs a few microseconds. */
const lookMilliseconds = 2000;

const schemaShape = z.record(z.string(), z.unknown());

/** The tools of `vscode.lm`, and those that extensions gave us. */
export function createOtherTools({ registered, own, clock }: OtherToolsOptions): OtherTools & Subscription {
  const changed = new Emitter<void>();
  let known = '';
  let watchers = 0;
  let next: Subscription | undefined;

  const all = (): readonly OtherTool[] =>
    [
      ...editorTools(own()).map(ofEditor),
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

async function invokeOfEditor(name: string, input: unknown, token: vscode.CancellationToken): Promise<OtherToolResult> {
  const options = { input: schemaShape.parse(input), toolInvocationToken: undefined };
  const { content } = await vscode.lm.invokeTool(name, options, token);
  return readParts(content);
}

/** The editor hands out the same frozen object until its tool changes. */
const made = new WeakMap<EditorTool, OtherTool>();

function ofEditor(tool: EditorTool): OtherTool {
  const { name, description, inputSchema } = tool;
  const schema = inputSchema === undefined ? '{}' : JSON.stringify(inputSchema);
  const other =
    made.get(tool) ?? withHash({ name, title: name, description, inputSchema: asSchema(schema), provider: 'editor' });
  made.set(tool, other);
  return other;
}

function asSchema(json: string): OtherTool['inputSchema'] {
  const parsed = schemaShape.safeParse(JSON.parse(json));
  return { ...parsed.data, type: 'object' };
}

function withHash(tool: Omit<OtherTool, 'hash'>): OtherTool {
  return { ...tool, hash: createHash('sha256').update(canonicalJson(tool)).digest('hex') };
}
