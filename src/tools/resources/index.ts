import type { Resource } from '#call/resource.ts';
import { changesResource } from './changes.ts';
import { diagnosticsResource } from './diagnostics.ts';
import { selectionResource } from './selection.ts';
import { workspaceResource } from './workspace.ts';
import { workspaceFile } from './workspaceFile.ts';

/** Every resource, in the order in which clients show them; the one that matches any other address comes last. */
export const resources: readonly Resource[] = [
  workspaceResource,
  selectionResource,
  diagnosticsResource,
  changesResource,
  workspaceFile,
];
