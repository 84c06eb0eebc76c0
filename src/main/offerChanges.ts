import { Emitter, type Event, type Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Editors } from '#call/ports/editors.ts';
import type { WindowCatalog } from '#call/windowCatalog.ts';
import type { Changes } from '#changes/changes.ts';
import type { Settings } from '#editor/settings.ts';

export interface OfferSources {
  readonly changes: Pick<Changes, 'list'> & { readonly onDidChange: Event<unknown> };
  readonly catalog: Pick<WindowCatalog, 'refresh'>;
  readonly editors: Pick<Editors, 'open' | 'onDidChange'>;
  readonly policy: { readonly onDidChange: Event<void> };
  readonly settings: { readonly current: () => Pick<Settings, 'clients'>; readonly onDidChange: Event<void> };
  readonly workspace: Pick<Workspace, 'onDidChange'>;
}

/** Events for the lists that clients are told of, besides the list of tools. */
export interface OfferChanges extends Subscription {
  /** Fires when other files are open. */
  readonly onDidChangeResources: Event<void>;
  readonly onDidChangeProfiles: Event<void>;
  /** Fires when a change of an assistant was applied or reverted. */
  readonly onDidChangeChanges: Event<void>;
}

/** Follows the window, and refreshes the catalog whenever it may offer other tools. */
export function followOffer(sources: OfferSources): OfferChanges {
  const { changes: appliedChanges, catalog, editors, policy, settings, workspace } = sources;
  // The active file and the order of the tabs are not worth a round trip of every client.
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

export interface WhenDifferent extends Subscription {
  readonly event: Event<void>;
}

/**
 * Returns an event that fires after those of the given events that changed a value.
 * @param valueOf the value as text; equal texts are equal values
 */
export function whenDifferent(sources: readonly Event<unknown>[], valueOf: () => string): WhenDifferent {
  const changed = new Emitter<void>();
  let last = valueOf();
  const compare = (): void => {
    const value = valueOf();
    if (value === last) return;
    last = value;
    changed.fire();
  };
  const subscriptions = sources.map((source) => source(compare));
  return {
    event: changed.event,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
