import type { Frame } from 'playwright-core';
import * as z from 'zod';

/** The accessible properties of an element. States that are off are left out. */
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
  const session = await view.page().context().newCDPSession(view.page());
  try {
    const tree = z.looseObject({ frameTree }).parse(await session.send('Page.getFrameTree'));
    const frameId = innerFrameId(tree.frameTree, view.parentFrame()?.url());
    if (frameId === undefined) throw new Error(`The page has no frame ${view.url()}`);
    const answer = nodes.parse(await session.send('Accessibility.getFullAXTree', { frameId }));
    return answer.nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name, properties = [] }) => ({
        role: textOf(role?.value),
        name: textOf(name?.value),
        states: Object.fromEntries(
          properties.filter((each) => shownStates.has(each.name)).map((each) => [each.name, each.value.value]),
        ),
      }));
  } finally {
    await session.detach();
  }
}

/** The only frame in the one with this address: VS Code writes the webview's document into it, which takes its address away. */
function innerFrameId(
  { frame, childFrames = [] }: z.infer<typeof frameTree>,
  outer: string | undefined,
): string | undefined {
  if (frame.url === outer) return childFrames[0]?.frame.id;
  return childFrames.map((child) => innerFrameId(child, outer)).find((id) => id !== undefined);
}

function textOf(given: unknown): string {
  return typeof given === 'string' ? given : '';
}
