import { beforeEach, describe, expect, test } from 'vitest';
import { defaultProfile, profileFor } from '#call/resultProfile.ts';
import { watchSettings } from '#editor/settings.ts';
import { assistantItem } from '#ui/connections/assistantItem.ts';
import { changeProfile } from '#ui/connections/changeProfile.ts';
import { clientProfiles } from '#ui/connections/clientProfiles.ts';
import { connectionCommands } from '#ui/connections/connectionCommands.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { type Answer, editor, resetEditor } from '../../fakes/editor/editor.ts';
import { connected } from './connected.ts';

const client = { name: 'nobody', version: '1' };
const written = (): unknown => editor.settings.get('drawbridge.clients');
const overrides = () => {
  const settings = watchSettings();
  settings.dispose();
  return settings.current().clients;
};
const profiles = clientProfiles(overrides);

async function choose(...answers: Answer[]): Promise<void> {
  editor.answers.push(...answers);
  await changeProfile(client, profiles);
}

beforeEach(() => resetEditor());

describe('Result Format', () => {
  test('shows the format in force and changes one part at a time', async () => {
    await choose('Parts', ['Text', 'Links']);
    expect(editor.shown).toMatchObject([
      {
        message: 'Result Format of nobody',
        choices: [
          'Parts of a Result... Text, Structured data, Links to files, Copies of the files that were read',
          'Page Size of Lists and Searches... 10 KB',
          'Largest Size of a Read... 66 KB',
          'Longest Wait for an Approval... 25 seconds',
        ],
      },
      {
        choices: [
          expect.stringContaining('Text'),
          'Structured data',
          'Links to files',
          expect.stringContaining('Copies'),
        ],
      },
    ]);
    expect(written()).toEqual({ nobody: { structured: false, embedded: false } });
    await choose('Page', 'No limit');
    await choose('Largest', '25 KB');
    await choose('Longest', '5 minutes');
    expect(written()).toEqual({
      nobody: { structured: false, embedded: false, pageBytes: null, readBytes: 25_000, approvalSeconds: 300 },
    });
    expect(profiles.inForce(client)).toEqual({
      ...defaultProfile,
      structured: false,
      embedded: false,
      pageBytes: undefined,
      readBytes: 25_000,
      approvalSeconds: 300,
    });
  });

  test('never turns off every part of a result', async () => {
    await choose('Parts', 'Links');
    expect(profiles.inForce(client)).toMatchObject({ text: true, structured: false, links: true, embedded: false });
  });

  test('keeps no setting that equals the default', async () => {
    await choose('Page', '25 KB');
    await choose('Page', '10 KB');
    expect(written()).toBeUndefined();
    expect(profiles.isChanged(client)).toBe(false);
  });

  test('puts the value in force first, so that Enter changes nothing', async () => {
    await choose('Longest', 'current');
    expect(editor.shown.at(-1)?.choices[0]).toBe('25 seconds current');
    expect(written()).toBeUndefined();
  });

  test('resets one assistant, and is offered only when there is something to reset', async () => {
    editor.settings.set('drawbridge.clients', { nobody: { text: false }, codex: { approvalSeconds: 5 } });
    await choose('Reset');
    expect(written()).toEqual({ codex: { approvalSeconds: 5 } });
    editor.settings.clear();
    await choose(undefined);
    expect(editor.shown.at(-1)?.choices).toHaveLength(4);
  });

  test('changes nothing when the user cancels at any step', async () => {
    await choose(undefined);
    await choose('Parts', undefined);
    await choose('Largest', undefined);
    expect(written()).toBeUndefined();
  });

  test('A19: treats the name of a client as a plain key and plain text', async () => {
    const hostile = { name: '__proto__', version: '1' };
    editor.answers.push('Longest', '10 seconds');
    await changeProfile(
      hostile,
      clientProfiles(() => ({})),
    );
    expect(JSON.stringify(written())).toBe('{"__proto__":{"approvalSeconds":10}}');
    editor.answers.push(undefined);
    await changeProfile({ name: 'a](command:x)\u202e', version: '1' }, profiles);
    expect(editor.shown.at(-1)?.message).not.toMatch(/\]\(|\u202e/);
  });

  test('cannot be changed for a client without a name', async () => {
    await changeProfile(undefined, profiles);
    expect(editor.shown).toMatchObject([
      { kind: 'information', message: expect.stringContaining('does not report its name') },
    ]);
  });

  test('changes the assistant of the row, or the one that the user picks', async () => {
    const clock = new FakeClock();
    const assistants = [connected(clock)];
    const commands = connectionCommands({
      assistants: () => assistants,
      pause: () => undefined,
      resume: () => undefined,
      disconnect: async () => undefined,
      profiles,
    });
    const [first] = assistants;
    editor.answers.push('Longest', '10 minutes', 'Codex', 'Longest', '10 seconds');
    if (first !== undefined) await commands.changeResultFormat(assistantItem(first, clock.now()));
    expect(profileFor(first?.client, overrides()).approvalSeconds).toBe(600);
    await commands.changeResultFormat(undefined);
    expect(profileFor(first?.client, overrides()).approvalSeconds).toBe(10);
  });
});
