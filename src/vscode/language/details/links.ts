import type * as vscode from 'vscode';
import type { DocumentLink } from '../../../ports/languageDetails.ts';
import { textRange, type placesIn } from '../places.ts';

/** Commands and other schemes that only the editor follows are left out. */
export function linkOf(
  { range, target, tooltip }: Pick<vscode.DocumentLink, 'range' | 'target' | 'tooltip'>,
  placeIn: ReturnType<typeof placesIn>,
): DocumentLink {
  const link = { ...textRange(range), ...(tooltip !== undefined && tooltip !== '' && { tooltip }) };
  if (target === undefined) return link;
  if (target.scheme === 'http' || target.scheme === 'https') {
    // The editor's own text of an address is either decoded or encodes too much.
    const address = target.toString(true);
    return { ...link, target: URL.parse(address)?.href ?? address };
  }
  if (target.scheme !== 'file') return link;
  const place = placeIn(target, range);
  if (place.outside === true) return { ...link, target: place.path };
  const { path, uri, fsPath, folder } = place;
  return { ...link, file: { path, uri, fsPath, folder } };
}
