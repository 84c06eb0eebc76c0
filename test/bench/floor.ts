import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Window } from '../host/window.ts';
import { connectHttp } from './httpClient.ts';

/** Folder of the extension that is compared with. */
export const floorExtension = join(dirname(fileURLToPath(import.meta.url)), 'floor');

/** The bare handlers of a window's extension host, over one kept-alive connection. */
export interface Floor {
  /** Resolves when the whole answer has arrived, unread. `answer` sets what the tool of the bare SDK server answers. */
  ask(action: 'echo' | 'answer' | 'read' | 'edit' | 'provide' | 'run', content: unknown): Promise<FloorAnswer>;
  close(): void;
}

export interface FloorAnswer {
  /** Throws when the handler failed or the answer has another shape. */
  as<T>(schema: z.ZodType<T>): T;
}

const address = z.object({ port: z.int(), sdkPort: z.int(), secret: z.string() });

type Address = z.infer<typeof address>;

/** Where a window's bare handlers, and its bare SDK server, are. */
export async function startFloor(window: Window): Promise<Address> {
  return address.parse(
    await window.evaluate((editor) => editor.extensions.getExtension('drawbridge.bench-floor')?.activate()),
  );
}

export function connectFloor({ port, secret }: Pick<Address, 'port' | 'secret'>): Floor {
  const http = connectHttp(port);
  return {
    async ask(action, content) {
      const { status, body } = await http.post(`/${action}`, { Authorization: secret }, JSON.stringify(content));
      return {
        as(schema) {
          if (status !== 200) throw new Error(`The floor answered ${status}: ${body}`);
          return schema.parse(JSON.parse(body));
        },
      };
    },
    close: () => http.close(),
  };
}
