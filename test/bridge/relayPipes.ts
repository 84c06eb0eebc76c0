import {
  deserializeMessage as deserializeModern,
  InMemoryTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { TestRelay } from './relaySetUp.ts';

/** The ends of a pipe between a client of the first SDK and a relay; a real one delivers later than it is written to. */
export function pipe(test: TestRelay): InMemoryTransport {
  const [own, other] = InMemoryTransport.createLinkedPair();
  test.onText = (text) => void setImmediate(() => void other.send(deserializeMessage(text)));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  other.onmessage = (message) => test.send(message);
  return own;
}

/** The same for a client of the second SDK. */
export function modernPipe(test: TestRelay): ModernTransport {
  const [own, other] = ModernTransport.createLinkedPair();
  test.onText = (text) => void setImmediate(() => void other.send(deserializeModern(text)));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no EventTarget
  other.onmessage = (message) => test.send(message);
  return own;
}
