import type { AnswerJudge } from './answers.ts';
import type { FuzzClient, FuzzRequest } from './client.ts';

/** The content of files that no answer may hold. */
const secret = 'SECRET';

/** Matches a pending approval in structured content and in text; each client gets at least one of the two. */
export const isPending = /pending_approval(?:","approvalId":"| \()(a-[0-9a-f]+)/;

/** Sends requests from several clients, many at the same time, and has each answer judged. */
export class FuzzSender {
  readonly #judge: AnswerJudge;
  readonly #inFlight: number;
  /** Sentences about wrong answers. */
  readonly problems: string[] = [];
  /** By the id of a change that still waited for the user when its call was answered: whose it is. */
  readonly tickets = new Map<string, FuzzClient>();

  /** @param inFlight the number of requests that are sent at the same time */
  constructor(judge: AnswerJudge, inFlight: number) {
    this.#judge = judge;
    this.#inFlight = inFlight;
  }

  /** Sends the requests from the clients in turns. Resolves when all are answered. */
  async sendAll(requests: readonly FuzzRequest[], clients: readonly FuzzClient[]): Promise<void> {
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let at = next++; at < requests.length; at = next++) {
        const [asked, client] = [requests[at], clients[at % clients.length]];
        if (asked !== undefined && client !== undefined) await this.#send(asked, client);
      }
    };
    await Promise.all(Array.from({ length: this.#inFlight }, lane));
  }

  async #send(asked: FuzzRequest, client: FuzzClient): Promise<void> {
    const note = (problem: string): void => {
      this.problems.push(`${client.revision} ${JSON.stringify(asked).slice(0, 500)}: ${problem}`);
    };
    try {
      const answer = await client.ask(asked);
      if (answer === undefined) return;
      const problem = this.#judge.problemOf(asked, answer, client.revision);
      if (problem !== undefined) note(problem);
      const said = answer.body.toString();
      if (said.includes(secret) && !JSON.stringify(asked).includes(secret)) note('it says a secret');
      if (asked.kind !== 'call' || asked.tool === 'get_approval') return;
      const [, approvalId] = isPending.exec(said) ?? [];
      if (approvalId !== undefined) this.tickets.set(approvalId, client);
    } catch (error) {
      note(String(error));
    }
  }
}
