import { globSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Emitter } from '#base/event.ts';
import { keepWalkthroughProgress } from '#connect/editor/dialogs/walkthroughProgress.ts';
import { editor } from '../../../fakes/editor/editor.ts';

const step = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  when: z.string().optional(),
  media: z.object({
    image: z.object({ dark: z.string(), light: z.string(), hc: z.string(), hcLight: z.string() }),
    altText: z.string(),
  }),
  completionEvents: z.array(z.string()).min(1),
});
const manifest = z
  .object({
    contributes: z.object({
      commands: z.array(z.object({ command: z.string() })),
      views: z.record(z.string(), z.array(z.object({ id: z.string() }))),
      walkthroughs: z.array(z.object({ id: z.string(), steps: z.array(step) })),
    }),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const words = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync('package.nls.json', 'utf8')));
const steps = manifest.contributes.walkthroughs[0]?.steps ?? [];
const source = globSync('src/**/*.ts')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

describe('the walkthrough', () => {
  test('has four steps, wherever the folder is', () => {
    const shown = (place: string) => steps.filter(({ when }) => when === undefined || when === place).length;
    expect([shown('remoteName'), shown('!remoteName')]).toEqual([4, 4]);
  });

  test('has a picture of the product for each kind of theme', () => {
    for (const { media } of steps) {
      const { dark, light, hc, hcLight } = media.image;
      expect([hc, hcLight]).toEqual([dark, light]);
      expect(readFileSync(dark).equals(readFileSync(light))).toBe(false);
    }
  });

  test('links to commands and views that exist', () => {
    const views = Object.values(manifest.contributes.views).flatMap((each) => each.map(({ id }) => `${id}.focus`));
    const known = [...manifest.contributes.commands.map(({ command }) => command), ...views];
    const links = steps.flatMap(({ description }) => [
      ...(words[description.slice(1, -1)] ?? '').matchAll(/\(command:(drawbridge\.[\w.]+)\)/g),
    ]);
    expect(links.length).toBeGreaterThan(4);
    for (const [, link] of links) expect(known).toContain(link);
  });

  test('completes steps when their events happen', () => {
    const events = steps.flatMap(({ completionEvents }) => completionEvents);
    const keys = events.flatMap((event) => /^onContext:(.+)$/.exec(event)?.[1] ?? []);
    expect(new Set(keys)).toEqual(new Set(['drawbridge.connected', 'drawbridge.called', 'drawbridge.changed']));
    for (const key of keys) expect(source).toContain(`'setContext', '${key}'`);
  });
});

describe('the progress of the walkthrough', () => {
  beforeEach(() => void (editor.executed.length = 0));

  test('is kept as soon as something has happened, and told once', () => {
    const [calls, approvals] = [new Emitter<void>(), new Emitter<void>()];
    let [hasCalled, hasChanged] = [false, true];
    const progress = keepWalkthroughProgress({
      hasCalled: () => hasCalled,
      onDidChangeCalls: calls.event,
      hasChanged: () => hasChanged,
      onDidChangeApprovals: approvals.event,
    });
    calls.fire();
    expect(editor.executed).toEqual([['setContext', 'drawbridge.changed', true]]);
    [hasCalled, hasChanged] = [true, true];
    calls.fire();
    calls.fire();
    approvals.fire();
    expect(editor.executed.slice(1)).toEqual([['setContext', 'drawbridge.called', true]]);
    progress.dispose();
  });
});
