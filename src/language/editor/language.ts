import type * as vscode from 'vscode';
import type { Language, Relation } from '#base/language.ts';
import type { Workspace } from '#base/workspace.ts';
import { OutlineCache } from '../outlineCache.ts';
import { createProviderCommands } from './providerCommands.ts';
import { currentText } from './currentText.ts';
import { waitForReload } from './documentReload.ts';
import { LibrarySources } from './librarySources.ts';
import { type FoundLocation, placesOfLocations } from './locations.ts';
import { forgetActivation, languageExtensions } from './languageExtensions.ts';
import { usesWithAccess } from './symbols/useAccess.ts';
import { callItem, typeItem } from './symbols/hierarchy.ts';
import { hoverTexts } from './symbols/hoverText.ts';
import { type FoundSymbol, outlineOf } from './symbols/outline.ts';
import { dropCachedOutline } from './typescript.ts';

const commands: Readonly<Record<Relation, string>> = {
  references: 'vscode.executeReferenceProvider',
  implementations: 'vscode.executeImplementationProvider',
  definition: 'vscode.executeDefinitionProvider',
  declaration: 'vscode.executeDeclarationProvider',
  type_definition: 'vscode.executeTypeDefinitionProvider',
};

/**
 * Creates the main language service features of this window. The editor opens a file for each request for a moment, in no tab.
 */
export function createLanguage(workspace: Workspace): Language {
  const kept = new OutlineCache();
  const libraries = new LibrarySources();
  const folders = (): ReturnType<Workspace['folders']> => workspace.folders();
  const { languageOf, uriOf, execute, executeAt } = createProviderCommands(workspace);

  return {
    languageOf,

    async outline(path, signal) {
      await waitForReload(path, signal);
      const { fsPath } = uriOf(path);
      const text = (await currentText(fsPath))?.text;
      const before = text === undefined ? undefined : kept.get(fsPath, text);
      if (before !== undefined) return before;
      if (kept.hasOtherText(fsPath, text)) await dropCachedOutline();
      const found = await execute<FoundSymbol[]>('vscode.executeDocumentSymbolProvider', path, signal);
      // The provider command returns undefined both for an empty outline and without a service.
      if (found === undefined) return languageExtensions(await languageOf(path)).length === 0 ? undefined : [];
      const outline = outlineOf(found, text?.split(/\r\n|\n|\r/) ?? []);
      // The text may have changed during the request.
      if (text !== undefined && text === (await currentText(fsPath))?.text) kept.keep(fsPath, text, outline);
      return outline;
    },

    async places(relation, path, at, signal) {
      return placesOfLocations(
        (await executeAt<FoundLocation[]>(commands[relation], path, at, signal)) ?? [],
        folders(),
        relation === 'definition' ? (place, file) => libraries.led(place, file) : undefined,
      );
    },

    async librarySource(askedIn, place) {
      const extensions = languageExtensions(await languageOf(askedIn));
      return libraries.read(
        place,
        extensions.map(({ extensionPath }) => extensionPath),
        folders().map(({ realPath }) => realPath),
      );
    },

    withAccess: usesWithAccess,

    async hover(path, at, signal) {
      return hoverTexts((await executeAt<vscode.Hover[]>('vscode.executeHoverProvider', path, at, signal)) ?? []);
    },

    async callItems(path, at, signal) {
      const found = await executeAt<vscode.CallHierarchyItem[]>('vscode.prepareCallHierarchy', path, at, signal);
      return (found ?? []).map((item) => callItem(item, folders));
    },

    async typeItems(path, at, signal) {
      const found = await executeAt<vscode.TypeHierarchyItem[]>('vscode.prepareTypeHierarchy', path, at, signal);
      return (found ?? []).map((item) => typeItem(item, folders));
    },

    async explain(path, question) {
      const languageId = await languageOf(path);
      forgetActivation(languageId);
      const extensions = languageExtensions(languageId).map(({ id }) => id);
      if (extensions.length === 0) {
        return `No extension of this window serves the language "${languageId}", so there is no ${question} for ${path.path}.`;
      }
      return `For the language "${languageId}", ${extensions.join(', ')} returned no ${question}: there may be none, the extension may not support the request, or it is still loading.`;
    },
  };
}
