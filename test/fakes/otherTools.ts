import { createHash } from 'node:crypto';
import { Emitter, type Subscription } from '#base/event.ts';
import type { OtherTool, OtherToolResult, OtherTools } from '#call/ports/otherTools.ts';

/** Returns a tool of another extension; its hash follows from the other fields. */
export function otherTool(tool: Partial<Omit<OtherTool, 'hash'>> = {}): OtherTool {
  const whole = {
    name: 'toy_count',
    title: 'toy_count',
    description: 'Count words.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    provider: 'editor' as const,
    ...tool,
  };
  return { ...whole, hash: createHash('sha256').update(JSON.stringify(whole)).digest('hex') };
}

export class FakeOtherTools implements OtherTools {
  tools: readonly OtherTool[] = [];
  watchers = 0;
  readonly invoked: { readonly name: string; readonly input: unknown }[] = [];
  answer: (input: unknown, signal: AbortSignal) => Promise<OtherToolResult> = async () => ({ text: '', media: [] });
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  all(): readonly OtherTool[] {
    return this.tools;
  }

  become(...tools: readonly OtherTool[]): void {
    this.tools = tools;
    this.#changed.fire();
  }

  async invoke(name: string, input: unknown, signal: AbortSignal): Promise<OtherToolResult> {
    this.invoked.push({ name, input });
    return this.answer(input, signal);
  }

  watch(): Subscription {
    this.watchers += 1;
    return { dispose: () => void (this.watchers -= 1) };
  }
}
