import type { Event, Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Editors } from '#call/ports/editors.ts';
import type { WindowCatalog } from '#call/windowCatalog.ts';
import type { Changes } from '#changes/changes.ts';
import type { Settings } from '#editor/settings.ts';
import { whenDifferent } from './whenDifferent.ts';

export interface OfferSources {
  readonly changes: Pick<Changes, 'list'> & { readonly onDidChange: Event<unknown> };
  readonly catalog: Pick<WindowCatalog, 'refresh'>;
  readonly editors: Pick<Editors, 'open' | 'onDidChange'>;
  readonly policy: { readonly onDidChange: Event<void> };
  readonly settings: { readonly current: () => Pick<Settings, 'clients'>; readonly onDidChange: Event<void> };
  readonly workspace: Pick<Workspace, 'onDidChange'>;
}

/** What clients are told of besides the tools, and when it is another one. */
export interface OfferChanges extends Subscription {
  /** Other files are open. */
  readonly onDidChangeResources: Event<void>;
  readonly onDidChangeProfiles: Event<void>;
  /** Changes that assistants made were applied or reverted. */
  readonly onDidChangeChanges: Event<void>;
}

/** Follows the window, and has the catalog look again whenever it may offer other tools. */
export function followOffer(sources: OfferSources): OfferChanges {
  const { changes: appliedChanges, catalog, editors, policy, settings, workspace } = sources;
  // Which one is active, and the order of the tabs, are no news worth a round trip of every client.
  const resources = whenDifferent([editors.onDidChange, workspace.onDidChange], () =>
    JSON.stringify(
      editors
        .open()
        .map(({ uri }) => uri)
        .toSorted(),
    ),
  );
  const profiles = whenDifferent([settings.onDidChange], () => JSON.stringify(settings.current().clients));
  const changes = whenDifferent([appliedChanges.onDidChange], () =>
    appliedChanges
      .list()
      .map(({ id, state, canRevert }) => `${id} ${state} ${canRevert}`)
      .join(),
  );
  const refreshes = [settings, policy, workspace].map(({ onDidChange }) => onDidChange(() => catalog.refresh()));
  return {
    onDidChangeResources: resources.event,
    onDidChangeProfiles: profiles.event,
    onDidChangeChanges: changes.event,
    dispose() {
      for (const subscription of [resources, profiles, changes, ...refreshes]) subscription.dispose();
    },
  };
}
