import pLimit from 'p-limit';
import type { Clock } from '#base/clock.ts';
import { hostIdentity, ownProcess } from './hostIdentity.ts';
import { removeWindowFile, writeWindowFile, type WindowRecord } from './windowFiles.ts';

/** The part of the window file that the editor knows. */
export type WindowDescription = Pick<
  WindowRecord,
  'windowId' | 'folders' | 'workspaceName' | 'trusted' | 'extensionVersion' | 'editor' | 'focusedAt' | 'waiting'
>;

interface PublishOptions {
  readonly clock: Clock;
  readonly drawbridgeHome: string;
  /** The secret of this window. */
  readonly token: string;
  readonly window: () => WindowDescription;
}

interface Endpoints {
  readonly endpoint: string;
  readonly httpEndpoint: () => string | undefined;
}

/** The file of a running window. */
interface PublishedWindow {
  readonly path: string;
  update(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes the file of this window and returns a handle for updates. Writes run one after the other, and none after `remove`. */
export async function publishWindow(
  { clock, drawbridgeHome, token, window }: PublishOptions,
  { endpoint, httpEndpoint }: Endpoints,
): Promise<PublishedWindow> {
  const ownIdentity = await ownProcess();
  const startedAt = clock.now();
  const { windowId } = window();
  let removed = false;
  const write = async (): Promise<string> => {
    // The host name may change with the network, so it is read for every write.
    const identity = await hostIdentity();
    const http = httpEndpoint();
    return writeWindowFile(drawbridgeHome, {
      version: 1,
      ...window(),
      ...identity,
      ...ownIdentity,
      windowId,
      endpoint,
      ...(http !== undefined && { httpEndpoint: http }),
      token,
      startedAt,
    });
  };
  let described: string;
  let path: string;
  // Nobody can call `update` yet, so changes that happened during a write are written by another one.
  do {
    described = JSON.stringify(window());
    path = await write();
  } while (described !== JSON.stringify(window()));
  const inTurn = pLimit(1);
  return {
    path,
    update: () => inTurn(async () => void (removed || (await write()))),
    remove() {
      removed = true;
      return inTurn(() => removeWindowFile(drawbridgeHome, windowId, token));
    },
  };
}
