import { expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import type { Tool } from '#call/tool.ts';
import { logToolList } from '#main/otherTools.ts';
import { tools } from '#tools/index.ts';

test('A9: logs a hash of the offered tools, and another hash when any word of them changes', () => {
  const changed = new Emitter<void>();
  const catalog: { offered: readonly Tool[]; onDidChange: Emitter<void>['event'] } = {
    offered: tools,
    onDidChange: changed.event,
  };
  const lines: string[] = [];
  logToolList(catalog, { infoWithHash: (text) => void lines.push(text) });
  expect(lines[0]).toMatch(new RegExp(`^Assistants are offered ${tools.length} tools; SHA-256 [0-9a-f]{64}$`));
  catalog.offered = tools.map((tool, at) => ({
    ...tool,
    description: at === 3 ? `${tool.description} ` : tool.description,
  }));
  changed.fire();
  catalog.offered = tools;
  changed.fire();
  expect(lines[1]).not.toBe(lines[0]);
  expect(lines[2]).toBe(lines[0]);
});
