import type { Socket } from 'node:net';

const maximumSockets = 512;

/** Counts the connections of all listeners of one window together (threat row H8). */
export class SocketLimit {
  readonly #maximum: number;
  #open = 0;

  constructor(maximum = maximumSockets) {
    this.#maximum = maximum;
  }

  /** Counts a connection until it closes; false when there are as many as there may be. */
  admit(socket: Socket): boolean {
    if (this.#open >= this.#maximum) return false;
    this.#open += 1;
    socket.once('close', () => (this.#open -= 1));
    return true;
  }
}
