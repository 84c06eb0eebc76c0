import type { CDPSession, Frame } from 'playwright-core';
import * as z from 'zod';

/** What a screen reader is told of an element. States that are off are left out. */
export interface AccessibleNode {
  readonly role: string;
  readonly name: string;
  readonly states: Readonly<Record<string, unknown>>;
}

const shownStates = new Set(['checked', 'disabled', 'expanded', 'focused', 'keyshortcuts']);

const value = z.looseObject({ value: z.unknown().optional() });
const nodes = z.looseObject({
  nodes: z.array(
    z.looseObject({
      ignored: z.boolean(),
      role: value.optional(),
      name: value.optional(),
      properties: z.array(z.looseObject({ name: z.string(), value })).optional(),
    }),
  ),
});

const frameTree = z.looseObject({
  frame: z.looseObject({ id: z.string(), url: z.string() }),
  get childFrames() {
    return z.array(frameTree).optional();
  },
});

/** The accessibility tree that the browser itself made of a webview, as a list in reading order. */
export async function accessibilityTree(view: Frame): Promise<AccessibleNode[]> {
  const session = await sessionOf(view);
  try {
    const tree = z.looseObject({ frameTree }).parse(await session.send('Page.getFrameTree'));
    const frameId = idOf(tree.frameTree, view.url());
    if (frameId === undefined) throw new Error(`The page has no frame ${view.url()}`);
    const answer = nodes.parse(await session.send('Accessibility.getFullAXTree', { frameId }));
    return answer.nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, properties = [] }) => ({
        role: String(role?.value ?? ''),
        name: String(name?.value ?? ''),
        states: Object.fromEntries(
          properties.filter((each) => shownStates.has(each.name)).map((each) => [each.name, each.value.value]),
        ),
      }));
  } finally {
    await session.detach();
  }
}

/** A webview is sandboxed, and may run in a process of its own, together with the frames around it or without them. */
async function sessionOf(frame: Frame): Promise<CDPSession> {
  const parent = frame.parentFrame();
  const context = frame.page().context();
  if (parent === null) return context.newCDPSession(frame.page());
  return context.newCDPSession(frame).catch(() => sessionOf(parent));
}

function idOf({ frame, childFrames = [] }: z.infer<typeof frameTree>, url: string): string | undefined {
  if (frame.url === url) return frame.id;
  return childFrames.map((child) => idOf(child, url)).find((id) => id !== undefined);
}
