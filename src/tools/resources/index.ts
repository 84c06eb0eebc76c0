import type { Resource } from '#call/resource.ts';
import { changesResource } from './changes.ts';
import { diagnosticsResource } from './diagnostics.ts';
import { selectionResource } from './selection.ts';
import { workspaceResource } from './workspace.ts';
import { workspaceFile } from './workspaceFile.ts';

/** What clients can read by address, in the order in which they show it; the one that takes any other address comes last. */
export const resources: readonly Resource[] = [
  workspaceResource,
  selectionResource,
  diagnosticsResource,
  changesResource,
  workspaceFile,
];
