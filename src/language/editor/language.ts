import type * as vscode from 'vscode';
import type { Language, Relation } from '#base/language.ts';
import type { Workspace } from '#base/workspace.ts';
import { KeptOutlines } from '../outlineCache.ts';
import { askerOf } from './providerCommands.ts';
import { currentText } from './currentText.ts';
import { untilReloaded } from './documentReload.ts';
import { type FoundLocation, placesOf } from './locations.ts';
import { forgetServing, servingExtensions } from './languageExtensions.ts';
import { usesWithAccess } from './symbols/useAccess.ts';
import { callItem, typeItem } from './symbols/hierarchy.ts';
import { hoverTexts } from './symbols/hoverText.ts';
import { type FoundSymbol, outlineOf } from './symbols/outline.ts';
import { forgetOutline } from './typescript.ts';

const commands: Readonly<Record<Relation, string>> = {
  references: 'vscode.executeReferenceProvider',
  implementations: 'vscode.executeImplementationProvider',
  definition: 'vscode.executeDefinitionProvider',
  declaration: 'vscode.executeDeclarationProvider',
  type_definition: 'vscode.executeTypeDefinitionProvider',
};

/** The language services of this window, asked as the editor asks them: for a moment it opens the file, in no tab. */
export function createLanguage(workspace: Workspace): Language {
  const kept = new KeptOutlines();
  const folders = (): ReturnType<Workspace['folders']> => workspace.folders();
  const { languageOf, uriOf, ask, askAt } = askerOf(workspace);

  return {
    languageOf,

    async outline(path, signal) {
      await untilReloaded(path, signal);
      const { fsPath } = uriOf(path);
      const text = (await currentText(fsPath))?.text;
      const before = text === undefined ? undefined : kept.get(fsPath, text);
      if (before !== undefined) return before;
      if (kept.hasOther(fsPath, text)) await forgetOutline();
      const found = await ask<FoundSymbol[]>('vscode.executeDocumentSymbolProvider', path, signal);
      // The editor does not tell an empty outline from none.
      if (found === undefined) return servingExtensions(await languageOf(path)).length === 0 ? undefined : [];
      const outline = outlineOf(found, text?.split(/\r\n|\n|\r/) ?? []);
      // It may be that of another text by now.
      if (text !== undefined && text === (await currentText(fsPath))?.text) kept.keep(fsPath, text, outline);
      return outline;
    },

    async places(relation, path, at, signal) {
      return placesOf((await askAt<FoundLocation[]>(commands[relation], path, at, signal)) ?? [], folders());
    },

    withAccess: usesWithAccess,

    async hover(path, at, signal) {
      return hoverTexts((await askAt<vscode.Hover[]>('vscode.executeHoverProvider', path, at, signal)) ?? []);
    },

    async callItems(path, at, signal) {
      const found = await askAt<vscode.CallHierarchyItem[]>('vscode.prepareCallHierarchy', path, at, signal);
      return (found ?? []).map((item) => callItem(item, folders));
    },

    async typeItems(path, at, signal) {
      const found = await askAt<vscode.TypeHierarchyItem[]>('vscode.prepareTypeHierarchy', path, at, signal);
      return (found ?? []).map((item) => typeItem(item, folders));
    },

    async explain(path, question) {
      const languageId = await languageOf(path);
      forgetServing(languageId);
      const extensions = servingExtensions(languageId).map(({ id }) => id);
      if (extensions.length === 0) {
        return `No extension of this window serves the language "${languageId}", so nothing tells the ${question} of ${path.path}.`;
      }
      return `For the language "${languageId}" ${extensions.join(', ')} told no ${question}: there may be none, it may not offer them, or it is still loading.`;
    },
  };
}
