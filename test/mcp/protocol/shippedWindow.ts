import { onTestFinished } from 'vitest';
import { Emitter } from '#base/event.ts';
import { CallLimits } from '#call/callLimits.ts';
import type { CoreDependencies } from '#call/callTool.ts';
import { profileFor } from '#call/resultProfile.ts';
import type { Tool, ToolPorts } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { Approver } from '#changes/approver.ts';
import { createProduct } from '#main/product.ts';
import { startServer } from '#mcp/server.ts';
import { tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';
import { FakeAuditLog } from '../../fakes/auditLog.ts';
import { FakeCatalog } from '../../fakes/catalog.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeDiagnostics } from '../../fakes/diagnostics.ts';
import { FakeEditors } from '../../fakes/editors.ts';
import { FakeFileChanges } from '../../fakes/fileChanges.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { fakeFolderAccess } from '../../fakes/folderAccess.ts';
import { fakePorts } from '../../fakes/ports.ts';
import { FakePolicy } from '../../fakes/rules.ts';
import { FakeSearch } from '../../fakes/search.ts';
import { serverOptions } from '../../fakes/serverOptions.ts';
import { folderAt, FakeWorkspace } from '../../fakes/workspace.ts';
import { temporaryFolder } from '../fixture.ts';

const texts = {
  '/w/src/greet.ts': "export function greet(name: string): string {\n  return 'Hello, ' + name;\n}\n",
  '/w/src/main.ts': "import { greet } from './greet.ts';\n\ngreet('world');\n",
  '/w/readme.md': '# Greetings\n',
};

/** A search for this text never ends by itself. */
export const endless = 'nothing finds this';

/** A search that reports when a query for {@link endless} has begun. That query ends when it is cancelled. */
class EndlessSearch extends FakeSearch {
  readonly #begun = new Emitter<AbortSignal>();
  readonly onBegin = this.#begun.event;

  override async *text(...[query, signal]: Parameters<FakeSearch['text']>): ReturnType<FakeSearch['text']> {
    if (query.pattern === endless) {
      this.#begun.fire(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      signal.throwIfAborted();
    } else yield* super.text(query, signal);
  }
}

export type ShippedWindow = Awaited<ReturnType<typeof startShippedWindow>>;

/**
 * Starts the shipped server, catalog and call pipeline over an editor in memory, on a real socket. Stopped after the test.
 * The clock of the calls stands still unless the test moves it. The server uses the real clock.
 * @param offered the tools of its catalog; all by default
 * @param request answers the requests for approval; by default nobody is there to ask
 */
export async function startShippedWindow(
  own: Partial<ToolPorts> = {},
  offered: readonly Tool[] = tools,
  request: Approver['request'] = () => Promise.reject(new Error('Nobody is there to ask.')),
) {
  const clock = new FakeClock();
  const files = new FakeFiles(texts);
  const search = new EndlessSearch();
  const editors = new FakeEditors();
  const diagnostics = new FakeDiagnostics();
  const fileChanges = new FakeFileChanges();
  const workspace = new FakeWorkspace();
  const changed = new Emitter<void>();
  const folder = folderAt('/w');
  const found = Object.entries(texts).map(([fsPath, text]) => {
    const file = { folder, fsPath, path: fsPath.slice('/w/'.length), uri: `file://${fsPath}` };
    search.add(file, text);
    return file;
  });
  editors.setOpen(
    ...found.map((file, at) => ({ ...file, isActive: at === 0, isDirty: false, languageId: 'plaintext' })),
  );
  const catalog = new FakeCatalog(offered, resources, prompts);
  const core: CoreDependencies = {
    catalog,
    ports: fakePorts({ files, search, editors, diagnostics, workspace, ...own }),
    sources: {
      diagnostics,
      editors,
      fileChanges,
      workspace,
      onDidChangeChanges: changed.event,
      onDidChangeMode: changed.event,
    },
    folderAccess: fakeFolderAccess(),
    approver: {
      request,
      permitRead: () => Promise.reject(new Error('Nobody is there to ask.')),
      outcome: async () => undefined,
    },
    auditLog: new FakeAuditLog(),
    clock,
    pathRules: { home: '/home/u', privateFolders: ['/home/u/.drawbridge'] },
    policy: new FakePolicy(),
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
    profileFor: (client, revision) => profileFor(client, {}, revision),
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  const errors: unknown[] = [];
  const offer = { onDidChangeResources: editors.onDidChange, onDidChangeProfiles: new Emitter<void>().event };
  const server = await startServer({
    ...serverOptions(createProduct('0.0.0', core, offer), await temporaryFolder()),
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => server.stop());
  const port = Number(new URL(server.endpoint).port);
  return { server, port, token: server.token, clock, catalog, files, fileChanges, editors, search, errors };
}
