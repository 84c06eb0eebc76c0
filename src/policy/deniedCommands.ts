/** Commands with the same effect, which is told as the end of a sentence that begins with "It". */
interface DeniedGroup {
  readonly why: string;
  readonly patterns: readonly RegExp[];
  /** Exceptions among the matched commands: they only show or stop something. */
  readonly except?: readonly RegExp[];
}

/**
 * The commands that no assistant runs, whatever the user allows (threat row A2). All patterns match ids in lower case. The list
 * may refuse too much, since the user can run each of these commands by hand.
 */
const denied: readonly DeniedGroup[] = [
  {
    why: 'belongs to Drawbridge, which no assistant may control',
    patterns: [/drawbridge/],
  },
  {
    why: 'is internal to the editor',
    patterns: [/^_/, /[.]_/],
  },
  {
    why: 'belongs to an assistant or a chat, or approves something',
    patterns: [
      /chat/,
      /copilot/,
      /agent/,
      /(?:^|[^a-z])mcp/,
      /languagemodel/,
      /inlinesuggest/,
      /inlineedit/,
      /(?:^|\.)ai[a-z]*\./,
      /withai$/,
      /askvscode/,
      /^workbench\.action\.edits\./,
      /^workbench\.command\.new\./,
      /^scm\.[a-z]+\.triggersetup$/,
      /^(?:planreview|refactorpreview)/,
      /approv/,
      /(?:^|[^a-z])allow/,
      /(?:^|[^a-z])(?:claude|codex|openai|gemini|cline|roo-?code|roo-?cline|kilo-?code|continue|cody|aider|augment|tabnine|codeium|windsurf|composer|cursorai|aipopup|amazonq|kiro|opencode|q)[.-]/,
      /^(?:quickinput|notifications?|dialog)\./,
      /^workbench\.action\.(?:[a-z]*acceptselectedquickopenitem|quickpickmanytoggle|quickinput)/,
      /^(?:list|tree|actionlist)\./,
    ],
  },
  {
    why: 'runs other commands, or types for the user',
    patterns: [
      /runcommand/,
      /(?:^|[^a-z])(?:multi-?command|macros?|command-?runner)(?:[^a-z]|$)/,
      /^(?:default:)?(?:type|replacepreviouschar|compositiontype|compositionstart|compositionend|cut)$/,
      /paste/,
      /snippet/,
      /dictation|speech/,
      /^editor\.action\.openlink$/,
      /^setcontext$/,
      /^default:/,
    ],
  },
  {
    why: 'accepts any address, also outside the workspace',
    patterns: [
      /^vscode\./,
      /^(?:simplebrowser|livepreview|(?:workbench\.(?:action\.)?)?browser)\./,
      /openexternal/,
      /openurl/,
      /(?:^|[^a-z])url[.]/,
    ],
  },
  {
    why: 'runs a task, a program or code',
    patterns: [
      /^workbench\.action\.(?:tasks|runselectedtask)/,
      /(?:^|[^a-z])tasks?\./,
      /^(?:npm|grunt|gulp|jake|make|makefile|cmake|gradle|maven)\./,
      /^code-runner\./,
      /^(?:notebook|jupyter|interactive)\..*(?:execut|run|debug|restart)/,
      /^python\.(?:exec|run|debug|start|create|datascience|repl)/,
      /(?:^|[^a-z])(?:exec|execute|eval|evaluate|shell|repl)(?:[^a-z]|$)/,
      /(?:execin|runin|sendto|openin|runselectedtextin)[a-z]*(?:terminal|console|repl|shell)/,
    ],
  },
  {
    why: 'drives a terminal',
    patterns: [/(?:^|\.)terminal\./, /createterminal/, /sendsequence/, /sendtext/, /^workbench\.action\.terminal/],
    except: [
      /^workbench\.action\.terminal\.(?:toggleterminal|focus|clear|scroll(?:up|down)(?:page)?|scrollto(?:top|bottom))$/,
    ],
  },
  {
    why: 'starts or controls a program that is debugged',
    patterns: [
      /^(?:workbench\.action\.debug|workbench\.debug|debug|extension\.(?:js|node|pwa)-?debug|js-debug)\./,
      /^testing\.debug/,
      /^editor\.debug\.action\.(?:selectionto|runtocursor|add|edit|trigger|conditional)/,
      /^extension\.(?:node-debug|js-debug|pwa-)/,
    ],
    except: [/^workbench\.action\.debug\.(?:stop|pause|disconnect)$/],
  },
  {
    why: 'changes settings, key bindings, profiles or what is synchronised',
    patterns: [
      /setting/,
      /preference/,
      /keybinding/,
      /profile/,
      /userdata/,
      /^workbench\.actions\.(?:sync|update|manage)/,
      /^workbench\.editsessions\./,
      /troubleshootissue/,
      /^workbench\.action\.configure/,
      /^workbench\.action\.(?:toggleautosave|setloglevel|setdefaultloglevel|openargv)/,
    ],
  },
  {
    why: 'decides what is trusted, or deals with accounts and secrets',
    patterns: [
      /trust|security|unsafe/,
      /account/,
      /authenticat/,
      /(?:^|[^a-z])auth(?:[^a-z]|$)/,
      /password|credential|secret/,
      /(?:sign|log)[-_]?(?:in|out)(?:[^a-z]|$)/,
      /token/,
    ],
  },
  {
    why: 'manages extensions',
    patterns: [
      /^workbench\.extensions\./,
      /^extensions?\.(?:bisect|install|open|manage)/,
      /extension(?:s|host)/,
      /install/,
    ],
  },
  {
    why: 'closes, reloads or changes the window, or opens another folder, or reaches another machine',
    patterns: [
      /^workbench\.action\.[a-z.]*(?:quit|exit|restart|relaunch)/,
      /^workbench\.action\.[a-z.]*window/,
      /^workbench\.(?:action\.(?:files\.)?|files\.action\.)(?:open|close|add|remove|setroot)[a-z]*(?:folder|workspace)/,
      /openfolder|openworkspace/,
      /^workbench\.view\.(?:remote|sync)/,
      /issuereporter|innewwindow/,
      /^workbench\.action\.(?:openrecent|savew|duplicatew|quickopenrecent)/,
      /^(?:addrootfolder|removerootfolder|closewindow|quit|reload)$/,
      /^update\./,
      /devtools/,
      /^(?:remote|openssh[a-z]*|remote-[a-z]+)[.]/,
      /^workbench\.(?:action\.)?remote\./,
      /tunnel/,
      /forwardport/,
      /liveshare/,
    ],
  },
];

/**
 * Returns why no assistant ever runs a command, as the end of a sentence; undefined when the user may allow it (threat row A2).
 * @param id as it was sent: other spellings of a denied id (case, width, invisible characters) are denied as well
 */
export function deniedCommand(id: string): string | undefined {
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) return 'has a name that is not plain ASCII';
  const lower = id.toLowerCase();
  return denied.find(({ patterns, except = [] }) => matchesAny(lower, patterns) && !matchesAny(lower, except))?.why;
}

function matchesAny(id: string, patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => pattern.test(id));
}
