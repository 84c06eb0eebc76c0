import type { Assistant } from '../assistant.ts';
import { amp } from './amp.ts';
import { antigravityCli } from './antigravityCli.ts';
import { claudeCode } from './claudeCode.ts';
import { claudeDesktop } from './claudeDesktop.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilotCli.ts';
import { cursor } from './cursor.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { junie } from './junie.ts';
import { kiloCode } from './kiloCode.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
import { qwenCode } from './qwenCode.ts';
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
  antigravityCli,
  gemini,
  copilotCli,
  vscode,
  windsurf,
  zed,
  opencode,
  cline,
  kiloCode,
  kiro,
  amp,
  droid,
  junie,
  qwenCode,
  goose,
  rooCode,
];
