import type { Assistant } from '../assistant.ts';
import { claudeCode } from './claudeCode.ts';
import { claudeDesktop } from './claudeDesktop.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilotCli.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { opencode } from './opencode.ts';
import { rooCode } from './rooCode.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

/** The assistants that can be connected with one click, in the order in which they are shown. */
export const assistants: readonly Assistant[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  codex,
  gemini,
  copilotCli,
  vscode,
  windsurf,
  zed,
  opencode,
  cline,
  rooCode,
  goose,
];
