import { defaultProfile } from '#call/resultProfile.ts';
import type { ConnectedAssistant } from '#ui/connections/assistantItem.ts';
import type { FakeClock } from '../../fakes/clock.ts';

/** An assistant that came an hour ago through the bridge, and last called two minutes ago. */
export function connected(clock: FakeClock, more: Partial<ConnectedAssistant> = {}): ConnectedAssistant {
  return {
    principal: { credential: 'window', connectionId: 'c' },
    client: { name: 'codex', version: '1.0' },
    era: '2025',
    way: 'bridge',
    since: clock.now() - 60 * 60_000,
    lastSeen: clock.now() - 2 * 60_000,
    openStreams: 0,
    calls: 0,
    waiting: 0,
    isPaused: false,
    profile: defaultProfile,
    isProfileChanged: false,
    ...more,
  };
}
