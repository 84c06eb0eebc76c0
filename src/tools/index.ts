import type { Tool } from '../core/tool.ts';
import { applyEdit } from './edit/applyEdit.ts';
import { createFile } from './edit/createFile.ts';
import { deleteFile } from './edit/deleteFile.ts';
import { getApproval } from './edit/getApproval.ts';
import { listChanges } from './edit/listChanges.ts';
import { moveFile } from './edit/moveFile.ts';
import { revertChange } from './edit/revertChange.ts';
import { findFiles } from './workspace/findFiles.ts';
import { getWorkspace } from './workspace/getWorkspace.ts';
import { listDirectory } from './workspace/listDirectory.ts';
import { readFile } from './workspace/readFile.ts';
import { readFiles } from './workspace/readFiles.ts';
import { searchCode } from './workspace/searchCode.ts';

/** The table of contents of the product, in the order in which clients show it. */
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
];
