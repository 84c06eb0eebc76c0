import { expect, test } from 'vitest';
import { defaultProfile } from '#call/resultProfile.ts';
import { assistantItem, type ConnectedAssistant, type Way } from '#ui/connections/assistantItem.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { connected } from './connected.ts';

const clock = new FakeClock();
const itemOf = (more: Partial<ConnectedAssistant> = {}) => assistantItem(connected(clock, more), clock.now());

test('shows everything known of an assistant, also to screen readers', () => {
  const label = itemOf({ calls: 3, waiting: 1 }).accessibilityInformation?.label;
  expect(label).toMatch(/^Codex, 1 waiting · 3 calls · 2 minutes ago, 1 request waits for you, /);
  expect(label).toContain('Version (as the assistant reports it): 1.0');
  expect(label).toContain('MCP of 2025');
  expect(label).toContain('Connected through the bridge');
  expect(label).toMatch(/Connected since: .*, Last request: /);
  expect(itemOf({ era: '2026' }).tooltip).toContain('MCP of 2026');
});

test.each([
  ['connected', { openStreams: 1 }],
  ['connected', { lastSeen: clock.now() - 59_000 }],
  ['1 minute ago', { lastSeen: clock.now() - 60_000 }],
])('shows %s for an assistant with %o', (said, more) => {
  expect(itemOf(more).description).toBe(`no calls · ${said}`);
});

test.each<[Way, string, RegExp]>([
  ['bridge', 'window', /through the bridge/],
  ['editor', 'window', /the MCP client of Visual Studio Code$/m],
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
    'Result format: Text, Structured data, Links to files, Copies of the files that were read\n' +
      'One page of a list or search: 10 KB; one read: 66 KB\nA call waits for an approval for up to 25 seconds',
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
  expect(changed.tooltip).toContain('Result format (changed by you): Text\nOne page of a list or search: No limit;');
  expect(changed.accessibilityInformation?.label).toContain('up to 2 minutes');
});

test('A5: shows name and version as plain text, with hidden characters escaped', () => {
  const item = itemOf({ client: { name: 'a\u202eb\nc', version: '\u200b' } });
  expect(item.label).toMatch(/^a<U\+202E>b.*c$/);
  expect(item.tooltip).toContain('<U+200B>');
  expect(itemOf({ client: undefined }).label).toBe('Unknown assistant');
});
