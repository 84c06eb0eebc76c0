import type { CallItem, HierarchyItem, Language, CodeLocation, TypeItem } from '#base/language.ts';
import type { LanguageDetails } from '#language/languageDetails.ts';
import type { MayRead } from './gate.ts';

/** Returns the language services for one call: places in files that the call may not read are left out silently. */
export function boundLanguage(language: Language, mayRead: MayRead): Language {
  const isSeen = (place: CodeLocation): boolean => place.outside === true || mayRead(place);
  const isItemSeen = ({ place }: HierarchyItem): boolean => isSeen(place);
  const boundCall = (item: CallItem): CallItem => ({
    ...item,
    async calls(direction, signal) {
      const calls = await item.calls(direction, signal);
      return calls.filter((call) => isItemSeen(call.item)).map((call) => ({ ...call, item: boundCall(call.item) }));
    },
  });
  const boundType = (item: TypeItem): TypeItem => ({
    ...item,
    async types(direction, signal) {
      return (await item.types(direction, signal)).filter(isItemSeen).map(boundType);
    },
  });
  return {
    languageOf: (path) => language.languageOf(path),
    outline: (path, signal) => language.outline(path, signal),
    places: async (relation, path, at, signal) => (await language.places(relation, path, at, signal)).filter(isSeen),
    withAccess: (uses, signal) => language.withAccess(uses, signal),
    hover: (path, at, signal) => language.hover(path, at, signal),
    callItems: async (path, at, signal) =>
      (await language.callItems(path, at, signal)).filter(isItemSeen).map(boundCall),
    typeItems: async (path, at, signal) =>
      (await language.typeItems(path, at, signal)).filter(isItemSeen).map(boundType),
    explain: (path, question) => language.explain(path, question),
  };
}

/** Returns the language details for one call: a link to a file that the call may not read loses its target. */
export function boundLanguageDetails(details: LanguageDetails, mayRead: MayRead): LanguageDetails {
  return {
    signatureHelp: (path, at, signal) => details.signatureHelp(path, at, signal),
    completions: (path, at, signal) => details.completions(path, at, signal),
    highlights: (path, at, signal) => details.highlights(path, at, signal),
    inlayHints: (path, lines, signal) => details.inlayHints(path, lines, signal),
    foldingRanges: (path, signal) => details.foldingRanges(path, signal),
    selectionRanges: (path, at, signal) => details.selectionRanges(path, at, signal),
    semanticTokens: (path, signal) => details.semanticTokens(path, signal),
    codeLenses: (path, signal) => details.codeLenses(path, signal),
    async links(path, signal) {
      const links = await details.links(path, signal);
      return links.map(({ file, ...link }) => (file !== undefined && mayRead(file) ? { ...link, file } : link));
    },
    colors: (path, signal) => details.colors(path, signal),
  };
}
