import type { AuditLog } from '#audit/auditLog.ts';
import type { Log } from '#audit/editor/log.ts';
import type { Clock } from '#base/clock.ts';
import type { Workspace } from '#base/workspace.ts';
import { withKinds } from '#call/toolKinds.ts';
import { WindowCatalog } from '#call/windowCatalog.ts';
import type { RegisteredTools } from '#editor/extensionApi.ts';
import type { WatchedSettings } from '#editor/settings.ts';
import { managedPolicyPath } from '#policy/editor/managedPolicy.ts';
import { WindowPolicy } from '#policy/editor/policy.ts';
import { createCommandTools } from '#tools/commands/commandTools.ts';
import { judgedTools, tools } from '#tools/index.ts';
import { prompts } from '#tools/prompts/index.ts';
import { resources } from '#tools/resources/index.ts';
import { tellModeEnd } from '#ui/rules/ruleNotices.ts';
import { createRelay } from './otherTools.ts';

export interface OfferedToolsOptions {
  /** The folder of the user's rules file. */
  readonly home: string;
  readonly registeredTools: RegisteredTools;
  readonly settings: WatchedSettings;
  readonly workspace: Workspace;
  /** The workspace with the work trees that changes by assistants' own tools reach. */
  readonly guardedWorkspace: Workspace;
  readonly auditLog: AuditLog;
  readonly log: Log;
  readonly clock: Clock;
}

/** Creates the catalog of the tools that assistants are offered, and the policy that decides about their calls. */
export function createOfferedTools(options: OfferedToolsOptions) {
  const { home, registeredTools, settings, workspace, auditLog, log, clock } = options;
  const { otherTools, relayed } = createRelay({ registered: registeredTools, settings, auditLog, log, clock });
  const ownNames = new Set(withKinds(judgedTools).map(({ name }) => name));
  const isTaken = (name: string): boolean => ownNames.has(name);
  const commandTools = createCommandTools(settings, isTaken, (message) => log.warn(message));
  const sources = [commandTools, relayed];
  const policy = new WindowPolicy({
    home,
    managedPath: managedPolicyPath(),
    clock,
    auditLog,
    workspace: options.guardedWorkspace,
    tools: () => [...ownNames, ...sources.flatMap((source) => source.tools).map(({ name }) => name)],
    onModeEnd: tellModeEnd,
    onError: (error) => log.error('The rules met an error', error),
  });
  const catalog = new WindowCatalog({
    tools,
    sources,
    resources,
    prompts,
    choices: () => settings.current().toolsets,
    mode: () => policy.mode(),
    isTrusted: () => workspace.isTrusted(),
    isHeld: () => workspace.isHeld(),
  });
  return { otherTools, relayed, commandTools, policy, catalog };
}
