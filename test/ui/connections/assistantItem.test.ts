import { expect, test } from 'vitest';
import { defaultProfile } from '#call/resultProfile.ts';
import { assistantItem, type ConnectedAssistant, type Way } from '#ui/connections/assistantItem.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { connected } from './connected.ts';

const clock = new FakeClock();
const itemOf = (more: Partial<ConnectedAssistant> = {}) => assistantItem(connected(clock, more), clock.now());

test('shows everything known of an assistant, and says the urgent part to screen readers', () => {
  const { tooltip, accessibilityInformation } = itemOf({ calls: 3, waiting: 1 });
  expect(accessibilityInformation?.label).toBe(
    'Codex, 1 waiting · 3 calls · last seen 2 minutes ago, 1 request waits for you.',
  );
  expect(tooltip).toContain('1 request waits for you.\nIt reports version 1.0.\nIt speaks MCP of 2025, in a session.');
  expect(tooltip).toContain('It connects through the bridge.');
  expect(tooltip).toMatch(/It has been connected since .*\.\nIts last request came at .*\./);
  expect(itemOf({ era: '2026' }).tooltip).toContain('MCP of 2026');
});

test.each([
  ['connected', { openStreams: 1 }],
  ['connected', { lastSeen: clock.now() - 59_000 }],
  ['last seen 1 minute ago', { lastSeen: clock.now() - 60_000 }],
])('shows %s for an assistant with %o', (said, more) => {
  expect(itemOf(more).description).toBe(`no calls · ${said}`);
});

test.each<[Way, string, RegExp]>([
  ['bridge', 'window', /through the bridge/],
  ['editor', 'window', /the MCP client of Visual Studio Code\.$/m],
  ['token', 'laptop', /over HTTP, with the access token "laptop"/],
  ['window', 'window', /over HTTP, with the secret of this window/],
])('shows how the assistant connected: %s', (way, credential, text) => {
  expect(itemOf({ way, principal: { credential } }).tooltip).toMatch(text);
});

test('shows a paused assistant as paused, with Resume where others have Pause', () => {
  const paused = itemOf({ isPaused: true });
  expect(paused).toMatchObject({ contextValue: 'assistant paused', iconPath: { id: 'debug-pause' } });
  expect(paused.description).toMatch(/^paused · /);
  expect(paused.accessibilityInformation?.label).toContain('it can read, but cannot change anything');
  expect(itemOf()).toMatchObject({ contextValue: 'assistant active', iconPath: { id: 'hubot' } });
});

test('shows the result format of an assistant, and whether the user changed it', () => {
  expect(itemOf().tooltip).toContain(
    'Its results hold: Text, Structured data, Links to files, Copies of the files that were read.\n' +
      'One page of a list or search: 10 KB; one read: 66 KB.\nA call waits for an approval for up to 25 seconds.',
  );
  const profile = {
    ...defaultProfile,
    text: false,
    structured: false,
    links: false,
    embedded: false,
    pageBytes: undefined,
  };
  const changed = itemOf({ profile: { ...profile, approvalSeconds: 120 }, isProfileChanged: true });
  expect(changed.tooltip).toContain('Its results hold: Text.\nOne page of a list or search: No limit;');
  expect(changed.tooltip).toContain('up to 2 minutes');
  expect(changed.accessibilityInformation?.label).toContain('You changed its result format.');
});

test('A5: shows name and version as plain text, with hidden characters escaped', () => {
  const item = itemOf({ client: { name: 'a\u202eb\nc', version: '\u200b' } });
  expect(item.label).toMatch(/^a<U\+202E>b.*c$/);
  expect(item.tooltip).toContain('<U+200B>');
  expect(itemOf({ client: undefined }).label).toBe('Unknown assistant');
});
