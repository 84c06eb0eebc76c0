import * as vscode from 'vscode';
import type { Risk, Toolset } from '#base/toolError.ts';
import { listedInput } from '#call/listedSchemas.ts';
import type { Tool } from '#call/tool.ts';

/** Returns a short text and icon for the risk of a tool. */
export function riskText(risk: Risk): { readonly text: string; readonly icon: string } {
  const { t } = vscode.l10n;
  return {
    read: { text: t('reads'), icon: 'eye' },
    edit: { text: t('changes files'), icon: 'edit' },
    delete: { text: t('deletes'), icon: 'trash' },
    execute: { text: t('runs something'), icon: 'play' },
    network: { text: t('uses the network'), icon: 'globe' },
    config: { text: t('changes settings'), icon: 'gear' },
    ui: { text: t('shows something'), icon: 'window' },
  }[risk];
}

export function toolsetText(toolset: Toolset): string {
  const { t } = vscode.l10n;
  return {
    workspace: t('Workspace'),
    edit: t('Edit'),
    language: t('Language'),
    editor: t('Editor'),
    commands: t('Commands'),
    language_more: t('More of Language'),
  }[toolset];
}

/** Returns the size of a tool's definition, which a model gets in every conversation, in tokens of about four bytes. */
export function tokensOf({ name, description, input }: Pick<Tool, 'name' | 'description' | 'input'>): number {
  const inputSchema = input.isForeign === true ? input.jsonSchema : listedInput(input.jsonSchema);
  const told = JSON.stringify({ name, description, inputSchema });
  return Math.ceil(Buffer.byteLength(told) / 4);
}

export function tokensText(tokens: number): string {
  return vscode.l10n.t('~{0} tokens', tokens.toLocaleString(vscode.env.language));
}
