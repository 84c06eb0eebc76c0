import * as vscode from 'vscode';
import type { CallItem, HierarchyCall, HierarchyItem, TypeItem } from '#base/language.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { raceAbort } from '../../raceAbort.ts';
import { placeConverter } from '../locations.ts';
import { kindName } from './symbolKind.ts';

type Folders = () => readonly WorkspaceFolder[];

/** Converts a call hierarchy item and keeps the original, since the editor's commands accept only the items it returned. */
export function callItem(item: vscode.CallHierarchyItem, folders: Folders): CallItem {
  return {
    ...hierarchyItem(item, folders),
    async calls(direction, signal) {
      if (direction === 'incoming') {
        const found = await ask<vscode.CallHierarchyIncomingCall>('vscode.provideIncomingCalls', item, signal);
        return found.map(({ from, fromRanges }) => callOf(from, fromRanges, folders));
      }
      const found = await ask<vscode.CallHierarchyOutgoingCall>('vscode.provideOutgoingCalls', item, signal);
      return found.map(({ to, fromRanges }) => callOf(to, fromRanges, folders));
    },
  };
}

/** Converts a type hierarchy item and keeps the original, as {@link callItem} does. */
export function typeItem(item: vscode.TypeHierarchyItem, folders: Folders): TypeItem {
  return {
    ...hierarchyItem(item, folders),
    async types(direction, signal) {
      const command = direction === 'supertypes' ? 'vscode.provideSupertypes' : 'vscode.provideSubtypes';
      const found = await ask<vscode.TypeHierarchyItem>(command, item, signal);
      return found.map((each) => typeItem(each, folders));
    },
  };
}

async function ask<T>(command: string, item: object, signal: AbortSignal): Promise<readonly T[]> {
  const found = await raceAbort(() => vscode.commands.executeCommand<T[] | undefined>(command, item), signal);
  return found ?? [];
}

function callOf(item: vscode.CallHierarchyItem, ranges: readonly vscode.Range[], folders: Folders): HierarchyCall {
  const lines = [...new Set(ranges.map(({ start }) => start.line + 1))].toSorted((one, other) => one - other);
  return { item: callItem(item, folders), lines };
}

function hierarchyItem(
  { name, kind, detail, uri, range, selectionRange }: vscode.CallHierarchyItem | vscode.TypeHierarchyItem,
  folders: Folders,
): HierarchyItem {
  return {
    name,
    kind: kindName(kind),
    ...(detail !== undefined && detail !== '' && { detail }),
    place: placeConverter(folders())(uri, range),
    nameLine: selectionRange.start.line + 1,
    nameColumn: selectionRange.start.character + 1,
  };
}
