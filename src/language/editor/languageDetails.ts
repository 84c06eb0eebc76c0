import * as vscode from 'vscode';
import type { Workspace } from '#base/workspace.ts';
import type { LanguageDetails } from '../languageDetails.ts';
import { raceAbort } from '../raceAbort.ts';
import { createProviderCommands } from './providerCommands.ts';
import { currentText } from './currentText.ts';
import { colorText, completionOf, linkOf, signatureHelpOf, tokensOf } from './convertLanguageDetails.ts';
import { documentForServices } from './documentForServices.ts';
import { placeConverter, textRange } from './locations.ts';
import { accessOf } from './symbols/useAccess.ts';

/** The most lenses and links that the editor resolves; further ones keep no title or target. */
const mostResolved = 200;

/** Creates the language service features beyond those of `createLanguage`, for this window. */
export function createLanguageDetails(workspace: Workspace): LanguageDetails {
  const { uriOf, execute, executeAt } = createProviderCommands(workspace);
  /** Runs a provider command that the editor accepts only for open documents, which it does not open by itself. */
  const executeOpened: typeof execute = async (command, path, signal, ...values) => {
    await raceAbort(() => documentForServices(path), signal);
    // The document is open, so a service failed. For other provider commands the editor swallows such failures.
    return execute<never>(command, path, signal, ...values).catch(() => {
      signal.throwIfAborted();
      return undefined;
    });
  };
  return {
    async signatureHelp(path, at, signal) {
      const help = await executeAt<vscode.SignatureHelp>('vscode.executeSignatureHelpProvider', path, at, signal);
      return help === undefined ? undefined : signatureHelpOf(help);
    },

    async completions(path, at, signal) {
      const list = await executeAt<vscode.CompletionList>('vscode.executeCompletionItemProvider', path, at, signal);
      return (list?.items ?? []).map(completionOf);
    },

    async highlights(path, at, signal) {
      const found = await executeAt<vscode.DocumentHighlight[]>('vscode.executeDocumentHighlights', path, at, signal);
      return inOrder(
        (found ?? []).map(({ range, kind }) => {
          const access = accessOf(kind);
          return { ...textRange(range), ...(access !== undefined && { access }) };
        }),
      );
    },

    async inlayHints(path, { firstLine, lastLine }, signal) {
      const lines = (await currentText(uriOf(path).fsPath))?.text.split(/\r\n|\n|\r/).length ?? lastLine;
      const range = new vscode.Range(firstLine - 1, 0, Math.min(lines, lastLine), 0);
      const found = await execute<vscode.InlayHint[]>('vscode.executeInlayHintProvider', path, signal, range);
      const hints = (found ?? []).map(({ position, label, kind }) => ({
        line: position.line + 1,
        column: position.character + 1,
        label: typeof label === 'string' ? label : label.map(({ value }) => value).join(''),
        ...(kind === vscode.InlayHintKind.Type && { kind: 'type' as const }),
        ...(kind === vscode.InlayHintKind.Parameter && { kind: 'parameter' as const }),
      }));
      return hints
        .filter(({ line }) => firstLine <= line && line <= lastLine)
        .toSorted((one, other) => one.line - other.line || one.column - other.column);
    },

    async foldingRanges(path, signal) {
      const found = await executeOpened<vscode.FoldingRange[]>('vscode.executeFoldingRangeProvider', path, signal);
      return (found ?? []).map(({ start, end, kind }) => ({
        firstLine: start + 1,
        lastLine: end + 1,
        ...(kind === vscode.FoldingRangeKind.Comment && { kind: 'comment' as const }),
        ...(kind === vscode.FoldingRangeKind.Imports && { kind: 'imports' as const }),
        ...(kind === vscode.FoldingRangeKind.Region && { kind: 'region' as const }),
      }));
    },

    async selectionRanges(path, { line, column }, signal) {
      const at = [new vscode.Position(line - 1, column - 1)];
      const found = await executeOpened<vscode.SelectionRange[]>(
        'vscode.executeSelectionRangeProvider',
        path,
        signal,
        at,
      );
      const ranges: vscode.Range[] = [];
      for (let each = found?.[0]; each !== undefined; each = each.parent) ranges.push(each.range);
      return ranges.map(textRange);
    },

    async semanticTokens(path, signal) {
      const legend = await executeOpened<vscode.SemanticTokensLegend>(
        'vscode.provideDocumentSemanticTokensLegend',
        path,
        signal,
      );
      const found = await executeOpened<vscode.SemanticTokens>('vscode.provideDocumentSemanticTokens', path, signal);
      return legend === undefined || found === undefined ? [] : tokensOf(found.data, legend);
    },

    async codeLenses(path, signal) {
      const found = await executeOpened<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        path,
        signal,
        mostResolved,
      );
      return inOrder(
        (found ?? []).flatMap(({ range, command }) =>
          command === undefined
            ? []
            : [
                {
                  ...textRange(range),
                  title: command.title,
                  ...(command.command !== '' && { command: command.command }),
                },
              ],
        ),
      );
    },

    async links(path, signal) {
      const found = await executeOpened<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        path,
        signal,
        mostResolved,
      );
      const placeIn = placeConverter(workspace.folders());
      return inOrder((found ?? []).map((link) => linkOf(link, placeIn)));
    },

    async colors(path, signal) {
      const found = await executeOpened<vscode.ColorInformation[]>('vscode.executeDocumentColorProvider', path, signal);
      return inOrder((found ?? []).map(({ range, color }) => ({ ...textRange(range), color: colorText(color) })));
    },
  };
}

function inOrder<Item extends { readonly firstLine: number; readonly firstColumn: number }>(
  items: readonly Item[],
): readonly Item[] {
  return items.toSorted((one, other) => one.firstLine - other.firstLine || one.firstColumn - other.firstColumn);
}
