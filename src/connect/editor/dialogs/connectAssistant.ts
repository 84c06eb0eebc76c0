import * as vscode from 'vscode';
import { type Assistant, assistantIcon, assistantParts, type ConnectPart } from '../../assistant.ts';
import { copilotCli } from '../../assistants/copilotCli.ts';
import type { PartState } from '../../configuration.ts';
import { type ConfigurationChange, inverseOf } from '../../configurationChange.ts';
import { type Configurations, seeAssistants, type SeenAssistant } from '../../seenAssistants.ts';
import { chooseParts, partsAtFirst, partsOf, summaryOf, wantedParts } from './chooseParts.ts';
import { confirmAndApply } from './confirmChange.ts';
import { offerTrust } from './offerTrust.ts';
import { connectSomethingElse, type SomethingElseDependencies } from './somethingElse.ts';
import { tellFailure } from './tellFailure.ts';

export interface ConnectDependencies extends SomethingElseDependencies {
  readonly editorHasAgent: boolean;
  /** The name of the remote machine that holds the window's folder; undefined when it is the user's own machine. */
  readonly remoteMachine: string | undefined;
  /** Installs the launcher if it is missing. */
  readonly prepareLauncher: () => Promise<void>;
}

/**
 * Connects an assistant: asks which one, shows the change of its configuration, writes it, and starts this window's server.
 * @param target the id of an assistant; anything else asks
 */
export async function connectAssistant(dependencies: ConnectDependencies, target?: unknown): Promise<void> {
  const choice = chosenBefore(dependencies, target) ?? (await choose(dependencies));
  if (choice?.kind === 'editorAgent') return tellEditorAgent(dependencies);
  if (choice?.kind === 'somethingElse') return connectSomethingElse(dependencies);
  if (choice !== undefined) return connect(choice.assistant, dependencies);
}

function chosenBefore({ configurations }: ConnectDependencies, target: unknown): ConnectChoice | undefined {
  const assistant = configurations.assistants.find(({ id }) => id === target);
  return assistant && { kind: 'assistant', assistant };
}

function choose({ configurations, editorHasAgent, remoteMachine }: ConnectDependencies) {
  return chooseAssistant({ seen: seeAssistants(configurations), editorHasAgent, remoteMachine });
}

/**
 * Sets up the parts of an assistant. Nothing is asked about them at first, only the change is confirmed: a dialog that names them
 * has a button to choose others.
 * @param chosen the parts that the user chose by that button
 */
async function connect(
  assistant: Assistant,
  dependencies: ConnectDependencies,
  chosen?: ReadonlySet<ConnectPart>,
): Promise<void> {
  const { t } = vscode.l10n;
  const { configurations } = dependencies;
  if (!(await isLauncherReady(dependencies))) return;
  try {
    const before = await statesOf(assistant, configurations);
    const setUp = setUpAmong(before);
    const atFirst = chosen === undefined && setUp.size === 0 ? partsAtFirst(assistant) : undefined;
    const parts = chosen ?? atFirst ?? (await chooseParts(assistant, setUp));
    if (parts === undefined) return;
    const isGuarded = parts.has('guard');
    const chooseOthers = async (): Promise<void> => {
      const others = await chooseParts(assistant, setUp);
      if (others !== undefined) await connect(assistant, dependencies, others);
    };
    const question = {
      question: t('Connect {0} to Drawbridge?', assistant.name),
      act: t('Connect'),
      ...(isGuarded ? {} : { note: unguardedNote(assistant) }),
      ...(atFirst !== undefined &&
        partsOf(assistant).length > 1 && {
          others: { label: t('Choose Parts...'), lead: chooseOthers },
          introduction: summaryOf(assistant, atFirst),
        }),
    };
    const plan = (): Promise<readonly ConfigurationChange[]> =>
      configurations.planParts(assistant, wantedParts(assistant, parts));
    const planned = await confirmAndApply(plan, question, configurations);
    if (planned === undefined) return;
    const changes = planned.filter(({ isChange }) => isChange);
    const wasConnected = (await configurations.connectedIds()).includes(assistant.id);
    await configurations.markConnected(assistant.id);
    const isRunning = await dependencies.start();
    void tellConnected(assistant, { ...dependencies, isRunning, wasConnected, isGuarded, changes, before });
    if (isGuarded) void offerTrust(assistant, configurations);
  } catch (error) {
    const file = assistant.configurationFile(configurations.machine);
    const again = await tellFailure(error, t('{0} was not set up.', assistant.name), file);
    if (again) await connect(assistant, dependencies);
  }
}

type States = ReadonlyMap<ConnectPart, PartState>;

async function statesOf(assistant: Assistant, configurations: Configurations): Promise<States> {
  const parts = await configurations.readParts(assistant);
  const server = await configurations.readState(assistant);
  return new Map<ConnectPart, PartState>([
    ['server', server],
    ...assistantParts.map((part) => [part, parts[part]] as const),
  ]);
}

function setUpAmong(states: States): ReadonlySet<ConnectPart> {
  return new Set([...states].flatMap(([part, state]) => (state === 'absent' ? [] : [part])));
}

function unguardedNote({ name, parts }: Assistant): string {
  const { t } = vscode.l10n;
  return parts?.guard === undefined
    ? t('Edits that {0} makes with its own edit tools are not reviewed by Drawbridge yet.', name)
    : t('Edits that {0} makes with its own edit tools are then not reviewed by Drawbridge.', name);
}

interface Connected extends ConnectDependencies {
  readonly isRunning: boolean;
  /** The assistant's own edits were chosen to be approved. */
  readonly isGuarded: boolean;
  /** The changes that were written. */
  readonly changes: readonly ConfigurationChange[];
  /** The parts before the changes. */
  readonly before: States;
  /** True when the assistant was set up before. */
  readonly wasConnected: boolean;
}

async function tellConnected(assistant: Assistant, connected: Connected): Promise<void> {
  const { t } = vscode.l10n;
  const { name } = assistant;
  const isChange = connected.changes.length > 0;
  const [copy, undo, start] = [t('Copy a First Question'), t('Undo'), t('Start Drawbridge')];
  const text = [
    isChange ? t('{0} is set up: start it to connect.', name) : t('{0} is set up already: start it to connect.', name),
    ...nextSteps(assistant, connected),
  ].join(' ');
  const buttons = [...(connected.isRunning ? [] : [start]), copy, ...(isChange ? [undo] : [])];
  const picked = await vscode.window.showInformationMessage(text, ...buttons);
  if (picked === start) await vscode.commands.executeCommand('drawbridge.start');
  if (picked === copy) await copyFirstQuestion();
  if (picked === undo) await undoConnect(assistant, connected);
}

/** Puts a question on the clipboard with which a user tries an assistant. */
export async function copyFirstQuestion(): Promise<void> {
  const { t } = vscode.l10n;
  await vscode.env.clipboard.writeText(t('Use Drawbridge to tell me what is open in my editor.'));
  vscode.window.setStatusBarMessage(t('A first question is on the clipboard.'), 5000);
}

function nextSteps(
  { afterwards }: Assistant,
  { isRunning, remoteMachine, isGuarded, changes, before }: Connected,
): string[] {
  const { t } = vscode.l10n;
  const isChange = changes.length > 0;
  return [
    ...(isChange && afterwards !== undefined ? [t('Already running? {0}', afterwards)] : []),
    ...(isChange && isGuarded && before.get('guard') !== 'current'
      ? [t('From then on, its own edits of files in your windows wait in their Approvals view.')]
      : []),
    ...(remoteMachine === undefined
      ? []
      : [t('It must run on {0}: start it in the integrated terminal.', remoteMachine)]),
    ...(isRunning ? [] : [t('It reaches this window as soon as Drawbridge is started.')]),
  ];
}

async function undoConnect(
  assistant: Assistant,
  { configurations, wasConnected, changes, before }: Connected,
): Promise<void> {
  try {
    // New parts are removed by a new plan, so that later edits of the files by the assistant stay. A repair is taken back as text.
    const isRepair = [...before.values()].includes('outdated');
    const undo = isRepair
      ? changes.map(inverseOf)
      : await configurations.planParts(assistant, wantedParts(assistant, setUpAmong(before)));
    for (const change of undo) if (change.isChange) await configurations.apply(change);
    if (!wasConnected) await configurations.unmarkConnected(assistant.id);
    vscode.window.setStatusBarMessage(vscode.l10n.t('{0} is as it was before.', assistant.name), 5000);
  } catch (error) {
    const [file] = changes.map((change) => change.file);
    const again = await tellFailure(error, vscode.l10n.t('{0} was not disconnected.', assistant.name), file);
    if (again) await vscode.commands.executeCommand('drawbridge.disconnectAssistant', assistant.id);
  }
}

/** Installs the launcher first: an entry for a missing program would be worse than none. */
async function isLauncherReady({ prepareLauncher }: ConnectDependencies): Promise<boolean> {
  try {
    await prepareLauncher();
    return true;
  } catch (error) {
    void tellNoLauncher(error instanceof Error ? error.message : String(error));
    return false;
  }
}

async function tellNoLauncher(why: string): Promise<void> {
  const { t } = vscode.l10n;
  const doctor = t('Run Doctor');
  const text = t('The program that assistants start could not be installed, so nothing was changed. {0}', why);
  if ((await vscode.window.showErrorMessage(text, doctor)) === doctor) {
    await vscode.commands.executeCommand('drawbridge.doctor');
  }
}

type ConnectChoice =
  | { readonly kind: 'assistant'; readonly assistant: Assistant }
  /** The editor's own agent was chosen. */
  | { readonly kind: 'editorAgent' }
  | { readonly kind: 'somethingElse' };

interface ConnectList {
  /** The assistants with their state; the list is shown at once and filled when they are known. */
  readonly seen: Promise<readonly SeenAssistant[]>;
  /** True when the editor has an agent that finds Drawbridge by itself. */
  readonly editorHasAgent: boolean;
  /** The name of the remote machine that holds the window's folder; undefined when it is the user's own machine. */
  readonly remoteMachine: string | undefined;
}

interface Item extends vscode.QuickPickItem {
  readonly choice?: ConnectChoice;
}

/** Asks which assistant to connect; installed assistants come first. */
async function chooseAssistant({
  seen,
  editorHasAgent,
  remoteMachine,
}: ConnectList): Promise<ConnectChoice | undefined> {
  const { t } = vscode.l10n;
  const placeHolder =
    remoteMachine === undefined
      ? t('The assistant that will work in your windows')
      : t('The folder of this window is on {0}, so the assistant must run there', remoteMachine);
  const options = { title: t('Connect an Assistant'), placeHolder, matchOnDescription: true };
  const items = seen.then((all) => connectItems(all, editorHasAgent));
  return (await vscode.window.showQuickPick<Item>(items, options))?.choice;
}

function connectItems(seen: readonly SeenAssistant[], editorHasAgent: boolean): Item[] {
  const { t } = vscode.l10n;
  const offered = seen.filter((each) => !(editorHasAgent && isEditorAgent(each)));
  const found = offered.filter(({ isFound, state }) => isFound || state !== 'absent');
  const others = offered.filter((each) => !found.includes(each));
  const agent: Item = {
    label: `$(copilot) ${t("{0}'s Own Agent", vscode.env.appName)}`,
    description: t('finds Drawbridge by itself: see how to use it'),
    choice: { kind: 'editorAgent' },
  };
  const somethingElse: Item = {
    label: `$(ellipsis) ${t('Something Else...')}`,
    description: t('a command line, JSON or URL to copy'),
    choice: { kind: 'somethingElse' },
  };
  return [
    ...group(t('found on this machine'), found.map(assistantItem)),
    ...group(t('nothing to set up'), editorHasAgent ? [agent] : []),
    ...group(t('not found on this machine'), others.map(assistantItem)),
    ...group(t('any other'), [somethingElse]),
  ];
}

/** Returns rows below a heading; nothing without rows. */
function group(label: string, items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/**
 * Returns whether an assistant is the editor's own agent, which would get Drawbridge twice. A connected one stays
 * listed.
 */
function isEditorAgent({ assistant, state }: SeenAssistant): boolean {
  return assistant.id === 'vscode' && state === 'absent';
}

/** Returns the row of an assistant. Its icon shows how the user starts it, unless something is wrong. */
function assistantItem({ assistant, state }: SeenAssistant): Item {
  const { t } = vscode.l10n;
  const icon = assistantIcon(assistant);
  const looks: Record<SeenAssistant['state'], { icon: string; description: string }> = {
    current: { icon, description: t('set up') },
    outdated: { icon: 'warning', description: t('has an old entry, which is repaired') },
    unreadable: { icon: 'error', description: t('its configuration cannot be read') },
    absent: { icon, description: '' },
  };
  const { icon: shown, description: stateWords } = looks[state];
  const description = [stateWords, assistant.note ?? ''].filter(Boolean).join('; ');
  return { label: `$(${shown}) ${assistant.name}`, description, choice: { kind: 'assistant', assistant } };
}

/**
 * Says that the editor's own agent needs no set-up, how its user is asked once instead of twice, and what helps in the Agents window
 * of VS Code: it may not offer servers of extensions (microsoft/vscode#317460), and it reads the file of Copilot CLI (#332782).
 */
async function tellEditorAgent(dependencies: ConnectDependencies): Promise<void> {
  const { t } = vscode.l10n;
  const { configurations } = dependencies;
  const agentsWindow = configurations.assistants.find(({ id }) => id === copilotCli.id);
  const [openChat, copy, manage] = [t('Open Chat'), t('Copy a First Question'), t('Manage Tool Approval')];
  const connectIt = agentsWindow === undefined ? [] : [t('Connect {0}...', agentsWindow.name)];
  const message = t("{0}'s own agent finds Drawbridge by itself and needs no setup.", vscode.env.appName);
  const detail = [
    t(
      'Choose Drawbridge among the tools of the chat in agent mode. The chat asks before each of its tools that may change something, and Drawbridge shows you the change itself: to be asked only once, choose "Always Allow Tools from Drawbridge" beside Allow in the chat. What assistants may change without asking stays what your rules say.',
    ),
    ...(agentsWindow === undefined
      ? []
      : [
          t(
            'If Drawbridge is missing in the Agents window, connect {0}: that window reads its configuration.',
            agentsWindow.name,
          ),
        ]),
  ].join('\n\n');
  const options = { modal: true, detail };
  const picked = await vscode.window.showInformationMessage(message, options, openChat, copy, manage, ...connectIt);
  if (picked === openChat) await vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
  if (picked === copy) await copyFirstQuestion();
  if (picked === manage) await vscode.commands.executeCommand('workbench.action.chat.editToolApproval');
  if (picked !== undefined && connectIt.includes(picked) && agentsWindow !== undefined) {
    await connect(agentsWindow, dependencies);
  }
}
