/** Which room of the product each file belongs to. */
import path from 'node:path';

/** Rooms with globs of their files, relative to `src`; the first that matches decides. */
const rooms: readonly (readonly [room: string, globs: readonly string[]])[] = [
  [
    'base',
    [
      'ports/{event,clock,principal,media,pathOrder,canonicalJson,files,workspace,proposal,language,httpListener}.ts',
      'core/textVersion.ts',
      'approvals/visibleText.ts',
      'server/systemClock.ts',
      'vscode/{messageOf,turns,untrustedText}.ts',
    ],
  ],
  [
    'home',
    [
      'server/{windows,publishedWindow,windowHealth,hostIdentity}.ts',
      'vscode/{stateFolder,ownFile,sharedFile,tokens,launcher,windowClaim}.ts',
      'vscode/launcher/**',
    ],
  ],
  [
    'audit',
    [
      'vscode/record/**',
      'vscode/auditLog.ts',
      'ports/auditLog.ts',
      'core/{redaction,routineRequests}.ts',
      'policy/{secretShapes,secretTable,privateKeyBody}.ts',
    ],
  ],
  [
    'policy',
    [
      'policy/**',
      'ports/rules.ts',
      'vscode/privateFolders.ts',
      'vscode/rules/{askingRules,folderIdentity,managedPolicy,modes,oncePerTurn,policy,repositoryPolicy,ruleChanges,ruleUses}.ts',
      'vscode/rules/{rulesDocument,rulesFile,sessionRules,smallFile,strictRules,unusedRules,workspaceSettings,writtenRules}.ts',
    ],
  ],
  [
    'changes',
    [
      'approvals/**',
      'vscode/{edits,diff}/**',
      'vscode/{edits,diffDocuments,history,historyRetention,keepHistory,sourceControl}.ts',
      'vscode/disk/textEdits.ts',
      'vscode/historyView/humanChanges.ts',
      'ports/{approver,changes,edits,history,interruptedApplies,sourceControl}.ts',
    ],
  ],
  ['files', ['vscode/disk/**', 'vscode/{files,foundFile,fileChanges,tabs}.ts', 'ports/fileChanges.ts']],
  ['search', ['vscode/ripgrep/**', 'vscode/search.ts', 'ports/search.ts']],
  [
    'language',
    [
      'vscode/language/**',
      'vscode/{language,languageDetails,diagnostics,imports,refactorings,symbols,problems}.ts',
      'ports/{diagnostics,imports,languageDetails,refactorings,symbols,problems}.ts',
    ],
  ],
  ['mcp/wire', ['server/{revisions,capabilities,icons}.ts', 'core/instructions.ts']],
  ['call', ['core/**', 'ports/**']],
  ['tools', ['{tools,prompts,resources,completions}/**']],
  ['ui', ['vscode/doctor/{doctorHtml,doctorPanel}.ts']],
  ['connect', ['connect/**', 'vscode/{connect,doctor}/**', 'vscode/{mcpProvider,portHolderText}.ts']],
  [
    'editor',
    [
      'vscode/{workspace,settings,startSetting,editorState,editors,editorActions,commands,otherTools,extensionApi}.ts',
      'vscode/{heldWorkspace,lineMarks,markedContext,terminals,typing,windowFocus}.ts',
      'vscode/{commands,otherTools,marks}/**',
    ],
  ],
  ['ui', ['vscode/**']],
  ['ui/page', ['sidebar/**']],
  ['mcp', ['server/**']],
  ['bridge', ['bridge/**', '{bridge,uninstall}.ts']],
  ['main', ['main/**', '{main,extension}.ts']],
];

/** The rooms, each once, in the order of the table. */
export const roomNames: readonly string[] = [...new Set(rooms.map(([room]) => room))];

/** The room of a source file. @param file relative to the repository, with `/`; undefined for what is no source */
export function roomOf(file: string): string | undefined {
  if (!file.startsWith('src/')) return undefined;
  return rooms.find(([, globs]) => globs.some((glob) => path.matchesGlob(file.slice('src/'.length), glob)))?.[0];
}

/**
 * The room that a test is about: that of the source file of the same name, or of the one with the longest name that begins the
 * test's (`editsSwap.test.ts` is about `edits.ts`).
 * @param sources relative to the repository, with `/`
 */
export function roomOfTest(test: string, sources: readonly string[]): string | undefined {
  const stem = test.replace(/^test\//, 'src/').replace(/\.test\.ts$/, '');
  const [about] = sources
    .filter((source) => stem.startsWith(source.replace(/\.ts$/, '')))
    .toSorted((one, other) => other.length - one.length);
  return roomOf(about ?? `${stem}.ts`);
}
