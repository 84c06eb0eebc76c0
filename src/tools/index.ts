import type { Tool } from '#call/tool.ts';
import { listCommands } from './commands/listCommands.ts';
import { nativeCommand } from './commands/nativeCommand.ts';
import { runCommand } from './commands/runCommand.ts';
import { applyEdit } from './edit/applyEdit.ts';
import { createFile } from './edit/createFile.ts';
import { deleteFile } from './edit/deleteFile.ts';
import { getApproval } from './edit/getApproval.ts';
import { listChanges } from './edit/listChanges.ts';
import { moveFile } from './edit/moveFile.ts';
import { nativeEdit } from './edit/nativeEdit.ts';
import { revertChange } from './edit/revertChange.ts';
import { askUser } from './editor/askUser.ts';
import { closeEditors } from './editor/closeEditors.ts';
import { getEditorState } from './editor/getEditorState.ts';
import { markLines } from './editor/markLines.ts';
import { openFile } from './editor/openFile.ts';
import { saveFiles } from './editor/saveFiles.ts';
import { applyCodeAction } from './language/applyCodeAction.ts';
import { editSymbol } from './language/editSymbol.ts';
import { findReferences } from './language/findReferences.ts';
import { findSymbols } from './language/findSymbols.ts';
import { formatFiles } from './language/formatFiles.ts';
import { getCallHierarchy } from './language/getCallHierarchy.ts';
import { getDiagnostics } from './language/getDiagnostics.ts';
import { getOutline } from './language/getOutline.ts';
import { getSymbol } from './language/getSymbol.ts';
import { getTypeHierarchy } from './language/getTypeHierarchy.ts';
import { listCodeActions } from './language/listCodeActions.ts';
import { renameSymbol } from './language/renameSymbol.ts';
import { getLanguageDetails } from './languageMore/getLanguageDetails.ts';
import { findFiles } from './workspace/findFiles.ts';
import { getWorkspace } from './workspace/getWorkspace.ts';
import { listDirectory } from './workspace/listDirectory.ts';
import { readFile } from './workspace/readFile.ts';
import { readFiles } from './workspace/readFiles.ts';
import { searchCode } from './workspace/searchCode.ts';

/** Every built-in tool, in the order in which clients show them. */
export const tools: readonly Tool[] = [
  getWorkspace,
  searchCode,
  findFiles,
  listDirectory,
  readFile,
  readFiles,
  applyEdit,
  createFile,
  deleteFile,
  moveFile,
  getApproval,
  listChanges,
  revertChange,
  getDiagnostics,
  findSymbols,
  getOutline,
  getSymbol,
  findReferences,
  getCallHierarchy,
  getTypeHierarchy,
  renameSymbol,
  editSymbol,
  listCodeActions,
  applyCodeAction,
  formatFiles,
  getEditorState,
  openFile,
  saveFiles,
  closeEditors,
  markLines,
  askUser,
  listCommands,
  runCommand,
  getLanguageDetails,
];

/** The tools that rules may name: those that are offered, and those that stand for what assistants do with tools of their own. */
export const judgedTools: readonly Tool[] = [...tools, nativeEdit, nativeCommand];
