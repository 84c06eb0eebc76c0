import type { ViewName } from './views.ts';

/** A place of a command in a menu. The group of a row decides its position: `inline@1` is an icon, `1_open@2` a line. */
interface MenuPlace {
  /** The name in `contributes.menus`. */
  readonly menu: string;
  /** A `when` clause. */
  readonly when: string;
  /** One row for each. */
  readonly groups: readonly string[];
}

interface Command {
  /** A codicon. */
  readonly icon?: string;
  /** A `when` clause; without it the command is always enabled. */
  readonly enablement?: string;
  /** False hides the command from the palette, a `when` clause shows it sometimes; the palette shows it unless said. */
  readonly palette?: false | string;
  readonly menus?: readonly MenuPlace[];
  readonly keybinding?: { readonly key: string; readonly mac: string; readonly when: string };
}

const filesInFolders = 'resourceScheme =~ /^(file|vscode-remote)$/ && workspaceFolderCount != 0';

/**
 * The commands of the extension, by id without `drawbridge.`. `package.nls.json` has the title of each as `command.<name>`.
 * `npm run docs` writes them into `package.json`.
 */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    icon: 'play',
    enablement: '!drawbridge.running',
    menus: [
      inRows('connections', ['inline@1', '1_server@1'], 'viewItem =~ /^window (stopped|failed)$/'),
      inTitle('connections', ['1_server@1'], '!drawbridge.running'),
      inTitle('approvals', ['navigation@1'], '!drawbridge.running'),
    ],
  },
  stop: {
    icon: 'debug-stop',
    enablement: 'drawbridge.running',
    menus: [
      inRows('connections', ['inline@2', '1_server@2'], "viewItem == 'window running'"),
      inTitle('connections', ['1_server@2'], 'drawbridge.running'),
      inTitle('approvals', ['2_server@2'], 'drawbridge.running'),
    ],
  },
  restart: {
    icon: 'debug-restart',
    enablement: 'drawbridge.running',
    menus: [
      inRows('connections', ['inline@1', '1_server@1'], "viewItem == 'window running'"),
      inTitle('connections', ['1_server@1'], 'drawbridge.running'),
      inTitle('approvals', ['2_server@1'], 'drawbridge.running'),
    ],
  },
  showLog: {
    icon: 'output',
    menus: [
      inRows('connections', ['2_log@1'], 'viewItem =~ /^window /'),
      inTitle('connections', ['3_help@2']),
      inTitle('activity', ['navigation@1']),
      inTitle('approvals', ['1_show@1']),
    ],
  },
  guardAgain: { icon: 'shield', palette: 'drawbridge.guardOff' },
  enableEdits: { icon: 'unlock', enablement: 'drawbridge.held' },
  resumeAssistants: {
    icon: 'debug-continue',
    enablement: 'drawbridge.restricted',
    menus: [inTitle('connections', ['2_assistants@2'])],
  },
  pauseAssistants: {
    icon: 'debug-pause',
    enablement: 'drawbridge.hasAssistants',
    menus: [inTitle('connections', ['2_assistants@1'])],
  },
  pauseConnection: {
    icon: 'debug-pause',
    palette: false,
    menus: [inRows('connections', ['inline@1', '1_connection@1'], "viewItem == 'assistant active'")],
  },
  resumeConnection: {
    icon: 'debug-continue',
    palette: false,
    menus: [inRows('connections', ['inline@1', '1_connection@1'], "viewItem == 'assistant paused'")],
  },
  endConnection: {
    icon: 'debug-disconnect',
    palette: false,
    menus: [inRows('connections', ['inline@2', '1_connection@2'], 'viewItem =~ /^assistant /')],
  },
  changeResultFormat: { palette: false, menus: [inRows('connections', ['2_results@1'], 'viewItem =~ /^assistant /')] },
  copyWindowId: {
    icon: 'copy',
    palette: false,
    menus: [inRows('connections', ['inline@1', '1_window@1'], 'viewItem == otherWindow')],
  },
  connectAssistant: { icon: 'plug', menus: [inTitle('connections', ['navigation@1'])] },
  disconnectAssistant: {
    icon: 'debug-disconnect',
    menus: [inRows('connections', ['inline@1', '1_connection@2'], 'viewItem == setUp')],
  },
  chooseGuardLevel: {
    icon: 'shield',
    palette: 'drawbridge.connected',
    menus: [inTitle('connections', ['2_assistants@3'])],
  },
  doctor: { icon: 'pulse', menus: [inTitle('connections', ['3_help@1'])] },
  copyHttpUrl: {
    icon: 'copy',
    palette: 'drawbridge.hasTokens',
    menus: [inRows('connections', ['inline@1', '1_http@1'], "viewItem == 'httpClients open'")],
  },
  retryHttpListener: {
    icon: 'refresh',
    palette: 'drawbridge.listenerClosed',
    menus: [inRows('connections', ['inline@1', '1_http@1'], "viewItem == 'httpClients closed'")],
  },
  createToken: { icon: 'add', menus: [inTitle('connections', ['navigation@2'])] },
  revokeToken: {
    icon: 'trash',
    palette: 'drawbridge.hasTokens',
    menus: [inRows('connections', ['inline@1', '1_token@1'], 'viewItem == token')],
  },
  reviewNextApproval: {
    icon: 'bell-dot',
    enablement: 'drawbridge.hasPending',
    keybinding: { key: 'ctrl+k a', mac: 'ctrl+cmd+a', when: 'drawbridge.hasPending' },
  },
  reviewPreviousApproval: { icon: 'arrow-up', enablement: 'drawbridge.hasPending' },
  openReview: { icon: 'open-preview', enablement: 'drawbridge.hasPending' },
  copyFirstQuestion: { icon: 'copy' },
  showSample: { icon: 'mortar-board', menus: [inTitle('approvals', ['1_show@2'])] },
  openNativeDiff: { icon: 'diff-multiple', enablement: 'drawbridge.hasPending' },
  leaveOutHunk: { icon: 'exclude', enablement: 'drawbridge.hasPending' },
  declineWithWords: { icon: 'feedback', enablement: 'drawbridge.hasPending' },
  undoLastChange: { icon: 'discard', enablement: 'drawbridge.canUndo' },
  reviewThisApproval: {
    icon: 'checklist',
    palette: false,
    menus: [{ menu: 'editor/title', groups: ['navigation@1'], when: 'resourceScheme == drawbridge' }],
  },
  openActivity: { palette: false },
  filterActivity: { icon: 'filter', menus: [inTitle('activity', ['navigation@2'])] },
  clearActivityFilter: {
    icon: 'clear-all',
    enablement: 'drawbridge.activityFiltered',
    menus: [inTitle('activity', ['navigation@1'], 'drawbridge.activityFiltered')],
  },
  showCallCard: {
    icon: 'checklist',
    palette: false,
    menus: [inRows('activity', ['1_open@1'], 'viewItem =~ /\\bcard\\b/')],
  },
  showCallDiff: {
    icon: 'diff',
    palette: false,
    menus: [inRows('activity', ['1_open@2', 'inline@1'], 'viewItem =~ /\\bdiff\\b/')],
  },
  showCallRule: { icon: 'law', palette: false, menus: [inRows('activity', ['1_open@3'], 'viewItem =~ /\\brule\\b/')] },
  showCallInHistory: {
    icon: 'history',
    palette: false,
    menus: [inRows('activity', ['1_open@4'], 'viewItem =~ /\\bhistory\\b/')],
  },
  openClosedFileOnce: {
    icon: 'eye',
    palette: false,
    menus: [inRows('activity', ['2_closed@1'], 'viewItem =~ /\\bclosed\\b/')],
  },
  openClosedFileAlways: {
    icon: 'law',
    palette: false,
    menus: [inRows('activity', ['2_closed@2'], 'viewItem =~ /\\bclosed\\b/')],
  },
  explainCall: {
    icon: 'question',
    palette: false,
    menus: [inRows('activity', ['2_why@1'], 'viewItem =~ /\\basked\\b/')],
  },
  explainDecision: {
    icon: 'question',
    palette: false,
    menus: [inRows('activity', ['2_why@1'], 'viewItem =~ /\\bdecided\\b/')],
  },
  copyCallDetails: {
    icon: 'copy',
    palette: false,
    menus: [inRows('activity', ['3_copy@1'], 'viewItem =~ /\\bcall\\b/')],
  },
  arrangeHistoryByAssistant: {
    icon: 'account',
    menus: [inTitle('history', ['navigation@1'], 'drawbridge.historyByTime')],
  },
  arrangeHistoryByTime: {
    icon: 'calendar',
    menus: [inTitle('history', ['navigation@1'], '!drawbridge.historyByTime')],
  },
  showChangeDiff: {
    icon: 'diff',
    palette: false,
    menus: [inRows('history', ['1_open@1'], 'viewItem =~ /\\b(change|file)\\b/')],
  },
  showSessionDiff: {
    icon: 'diff-multiple',
    palette: false,
    menus: [
      inRows('history', ['inline@1', '1_open@1'], 'viewItem =~ /^session changed/'),
      inRows('activity', ['inline@1', '1_open@1'], "viewItem == 'session changed'"),
    ],
  },
  compareWithNow: {
    icon: 'compare-changes',
    palette: false,
    menus: [inRows('history', ['1_open@2'], 'viewItem =~ /\\bfile$/')],
  },
  openChangedFile: {
    icon: 'go-to-file',
    palette: false,
    menus: [inRows('history', ['1_open@3', 'inline@2'], 'viewItem =~ /\\bfile$/')],
  },
  undoChange: {
    icon: 'discard',
    palette: false,
    menus: [inRows('history', ['inline@1', '2_undo@1'], 'viewItem =~ /^change applied/')],
  },
  redoChange: {
    icon: 'redo',
    palette: false,
    menus: [inRows('history', ['inline@1', '2_undo@1'], 'viewItem =~ /^change undone/')],
  },
  undoSince: {
    icon: 'history',
    palette: false,
    menus: [inRows('history', ['2_undo@2'], 'viewItem =~ /\\bchange\\b/')],
  },
  undoSession: {
    icon: 'discard',
    palette: false,
    menus: [inRows('history', ['inline@2', '2_undo@1'], 'viewItem =~ /^session .*applied/')],
  },
  exportAudit: { palette: 'drawbridge.hasRecords' },
  verifyAudit: { palette: 'drawbridge.hasRecords' },
  deleteRecords: { palette: 'drawbridge.hasRecords' },
  showMenu: { palette: false },
  setMode: { icon: 'settings', menus: [inTitle('rules', ['1_mode@1']), inTitle('approvals', ['1_show@2'])] },
  addRule: { icon: 'add', menus: [inTitle('rules', ['navigation@1'])] },
  openRulesFile: { icon: 'go-to-file', menus: [inTitle('rules', ['navigation@3'])] },
  testCall: { icon: 'beaker', menus: [inTitle('rules', ['navigation@2'])] },
  removeRule: {
    icon: 'trash',
    palette: false,
    menus: [inRows('rules', ['inline@3', '1_rule@3'], 'viewItem =~ /\\bremovable\\b/')],
  },
  editRule: {
    icon: 'edit',
    palette: false,
    menus: [inRows('rules', ['inline@2', '1_rule@2'], 'viewItem =~ /\\beditable\\b/')],
  },
  renewRule: {
    icon: 'refresh',
    palette: false,
    menus: [inRows('rules', ['inline@1', '1_rule@1'], 'viewItem =~ /\\bexpired\\b/')],
  },
  openRuleFile: {
    icon: 'go-to-file',
    palette: false,
    menus: [inRows('rules', ['inline@1', '1_rule@4'], 'viewItem =~ /\\binFile\\b/')],
  },
  showRule: { icon: 'law', palette: false },
  addToContext: {
    icon: 'add',
    palette: 'editorIsOpen',
    menus: [
      { menu: 'editor/context', groups: ['1_drawbridge@1'], when: filesInFolders },
      { menu: 'editor/title/context', groups: ['1_drawbridge@1'], when: filesInFolders },
      { menu: 'explorer/context', groups: ['5_drawbridge@1'], when: `${filesInFolders} && !explorerResourceIsFolder` },
    ],
  },
  diffOutside: {
    icon: 'diff',
    palette: false,
    menus: [inRows('outside', ['inline@1', '1_outside@1'], 'viewItem =~ /^outside (file|part)/')],
  },
  keepOutside: { icon: 'check', palette: false, menus: [inRows('outside', ['inline@3', '1_outside@3'])] },
  undoOutside: {
    icon: 'discard',
    palette: false,
    menus: [inRows('outside', ['inline@2', '1_outside@2'], 'viewItem =~ /undoable$/')],
  },
  keepAllOutside: {
    icon: 'check-all',
    palette: 'drawbridge.hasOutsideChanges',
    menus: [inTitle('outside', ['navigation@2'])],
  },
  undoAllOutside: {
    icon: 'discard',
    palette: 'drawbridge.hasOutsideChanges',
    menus: [inTitle('outside', ['navigation@1'])],
  },
  removeFromContext: { icon: 'close', palette: false, menus: [inRows('context', ['inline@1', '1_context@1'])] },
  clearContext: { icon: 'clear-all', palette: 'drawbridge.hasContext', menus: [inTitle('context', ['navigation@1'])] },
  clearMarks: { icon: 'clear-all', palette: 'drawbridge.hasMarks' },
  findTool: { icon: 'search', menus: [inTitle('tools', ['navigation@1'])] },
  turnToolOn: { palette: false, menus: [inRows('tools', ['1_switch@1'], "viewItem == 'switch off'")] },
  turnToolOff: { palette: false, menus: [inRows('tools', ['1_switch@1'], "viewItem == 'switch on'")] },
  addCommandTool: { icon: 'add', menus: [inTitle('tools', ['navigation@2'])] },
};

/** A place in the context menu of the rows of a view, or an icon on them; `when` says on which rows. */
function inRows(view: ViewName, groups: readonly string[], when?: string): MenuPlace {
  return { menu: 'view/item/context', when: inView(view, when), groups };
}

/** A place in the title bar of a view (`navigation@1`) or in its menu. */
function inTitle(view: ViewName, groups: readonly string[], when?: string): MenuPlace {
  return { menu: 'view/title', when: inView(view, when), groups };
}

function inView(view: ViewName, when?: string): string {
  return [`view == drawbridge.${view}`, ...(when === undefined ? [] : [when])].join(' && ');
}
