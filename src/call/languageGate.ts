import { redactText } from '#audit/redactText.ts';
import { type Columns, shownRange } from '#audit/shownColumns.ts';
import type { CallItem, HierarchyItem, Language, CodeLocation, OutlineSymbol, TypeItem, Use } from '#base/language.ts';
import type { Completion, LanguageDetails, Signature } from '#language/languageDetails.ts';
import type { Refactorings } from '#language/refactorings.ts';
import type { MayRead } from './gate.ts';
import type { ShownPlaces } from './shownPlaces.ts';
import type { Telling } from './serviceText.ts';

/** What a call may read of the answers of language services. */
export interface LanguageRights {
  readonly mayRead: MayRead;
  /** Literals are left out, because some stand in files that the call may not read (threat row A31). */
  readonly hidesLiterals: boolean;
  readonly places: ShownPlaces;
  readonly telling: Telling;
}

/**
 * Returns the language services for one call: places in files that the call may not read are left out silently. Of a symbol that is
 * declared in such a file nothing is told but what the caller knows of it: its name and kind.
 */
export function boundLanguage(
  language: Language,
  { mayRead, hidesLiterals, places, telling }: LanguageRights,
): Language {
  const { code, markdown } = telling;
  const told = <Item extends { readonly detail?: string }>(item: Item): Item =>
    item.detail === undefined ? item : { ...item, detail: code(item.detail) };
  const toldSymbol = (symbol: OutlineSymbol, columns: Columns | undefined): OutlineSymbol => ({
    ...told(symbol),
    // A heading or a key may be a secret, and a name that an assistant gives is compared with it.
    name: redactText(symbol.name).text,
    ...(columns && shownRange(columns, symbol)),
    ...(columns && { nameColumn: columns.shown({ line: symbol.nameLine, column: symbol.nameColumn }) }),
    children: symbol.children.map((child) => toldSymbol(child, columns)),
  });
  const isSeen = (place: CodeLocation): boolean => place.outside === true || mayRead(place);
  const seenPlaces = async <Place extends CodeLocation>(found: readonly Place[]): Promise<readonly Place[]> => {
    const shown = found.filter(isSeen).map(async (place) => {
      const columns = place.outside === true ? undefined : await places.of(place);
      return columns === undefined ? place : { ...place, ...shownRange(columns, place) };
    });
    return Promise.all(shown);
  };
  const seenItems = async <Item extends HierarchyItem>(found: readonly Item[]): Promise<readonly Item[]> => {
    const shown = found
      .filter(({ place }) => isSeen(place))
      .map(async (item): Promise<Item> => {
        const columns = item.place.outside === true ? undefined : await places.of(item.place);
        if (columns === undefined) return told(item);
        const place = { ...item.place, ...shownRange(columns, item.place) };
        return { ...told(item), place, nameColumn: columns.shown({ line: item.nameLine, column: item.nameColumn }) };
      });
    return Promise.all(shown);
  };
  const boundCall = (item: CallItem): CallItem => ({
    ...item,
    async calls(direction, signal) {
      const calls = (await item.calls(direction, signal)).filter((call) => isSeen(call.item.place));
      const items = await seenItems(calls.map((call) => call.item));
      return calls.flatMap((call, at) => {
        const shown = items[at];
        return shown === undefined ? [] : [{ ...call, item: boundCall(shown) }];
      });
    },
  });
  const boundType = (item: TypeItem): TypeItem => ({
    ...item,
    types: async (direction, signal) => (await seenItems(await item.types(direction, signal))).map(boundType),
  });
  return {
    languageOf: (path) => language.languageOf(path),
    async outline(path, signal) {
      const [symbols, columns] = await Promise.all([language.outline(path, signal), places.of(path)]);
      return symbols?.map((symbol) => toldSymbol(symbol, columns));
    },
    places: async (relation, path, at, signal) =>
      seenPlaces(await language.places(relation, path, await places.real(path, at), signal)),
    async librarySource(askedIn, place) {
      const source = await language.librarySource(askedIn, place);
      const { folder } = askedIn;
      // Rules name a library as if it were installed in the folder of the file that led there (threat row P28).
      const isOpen = (label: string): boolean =>
        mayRead({ folder, fsPath: `${folder.fsPath}/${label}`, realPath: `${folder.realPath}/${label}` });
      if (source === undefined || !isOpen(place.path) || !isOpen(source.path)) return undefined;
      return { ...source, text: redactText(source.text).text };
    },
    async withAccess(uses, signal) {
      const real = await Promise.all(uses.map(async (use) => realUse(use, places)));
      const found = await language.withAccess(real, signal);
      return uses.map((use, at) => {
        const access = found[at]?.access;
        return access === undefined ? use : { ...use, access };
      });
    },
    async hover(path, at, signal) {
      const place = await places.real(path, at);
      const isClosed = async (): Promise<boolean> =>
        (await language.places('definition', path, place, signal)).some((each) => !isSeen(each));
      if (hidesLiterals && (await isClosed())) return [];
      return (await language.hover(path, place, signal)).map(markdown);
    },
    callItems: async (path, at, signal) =>
      (await seenItems(await language.callItems(path, await places.real(path, at), signal))).map(boundCall),
    typeItems: async (path, at, signal) =>
      (await seenItems(await language.typeItems(path, await places.real(path, at), signal))).map(boundType),
    explain: (path, question) => language.explain(path, question),
  };
}

/** Returns a use with the columns of the text itself, as language services count them. */
async function realUse(use: Use, places: ShownPlaces): Promise<Use> {
  const columns = use.outside === true ? undefined : await places.of(use);
  if (columns === undefined) return use;
  const firstColumn = columns.real({ line: use.firstLine, column: use.firstColumn });
  return { ...use, firstColumn, lastColumn: columns.real({ line: use.lastLine, column: use.lastColumn }) };
}

/** Returns the language details for one call: a link to a file that the call may not read loses its target. */
export function boundLanguageDetails(
  details: LanguageDetails,
  { mayRead, hidesLiterals, places, telling: { code, markdown } }: LanguageRights,
): LanguageDetails {
  const isTold = ({ label, kind }: Completion): boolean =>
    !namesText.has(kind) && redactText(label).hidden.length === 0 && !(hidesLiterals && mayBeLiteral({ label, kind }));
  return {
    async signatureHelp(path, at, signal) {
      const help = await details.signatureHelp(path, await places.real(path, at), signal);
      return help && { ...help, signatures: help.signatures.map(toldSignature) };
    },
    async completions(path, at, signal) {
      const found = await details.completions(path, await places.real(path, at), signal);
      return found.filter(isTold).map((completion) => ({
        ...completion,
        ...(completion.detail !== undefined && { detail: code(completion.detail) }),
        ...(completion.insertText !== undefined && { insertText: code(completion.insertText) }),
      }));
    },
    highlights: async (path, at, signal) =>
      places.ranges(path, await details.highlights(path, await places.real(path, at), signal)),
    async inlayHints(path, lines, signal) {
      const hints = await places.positions(path, await details.inlayHints(path, lines, signal));
      return hints.map((hint) => ({ ...hint, label: code(hint.label) }));
    },
    foldingRanges: (path, signal) => details.foldingRanges(path, signal),
    selectionRanges: async (path, at, signal) =>
      places.ranges(path, await details.selectionRanges(path, await places.real(path, at), signal)),
    semanticTokens: async (path, signal) => places.ranges(path, await details.semanticTokens(path, signal)),
    codeLenses: async (path, signal) => places.ranges(path, await details.codeLenses(path, signal)),
    async links(path, signal) {
      const links = await places.ranges(path, await details.links(path, signal));
      return links.map(({ file, ...link }) => (file !== undefined && mayRead(file) ? { ...link, file } : link));
    },
    colors: async (path, signal) => places.ranges(path, await details.colors(path, signal)),
  };

  /** The documentation may be that of a closed declaration. */
  function toldSignature({ label, documentation, parameters }: Signature): Signature {
    const about = hidesLiterals || documentation === undefined ? {} : { documentation: markdown(documentation) };
    return { label: code(label), parameters: parameters.map(code), ...about };
  }
}

/** Completions that are words of texts: of redacted ones and of closed files that are open, too. */
const namesText: ReadonlySet<string> = new Set(['text']);
/** Completions that may be the value of a literal type. */
const namesLiteral: ReadonlySet<string> = new Set(['constant', 'value']);

function mayBeLiteral({ label, kind }: Pick<Completion, 'label' | 'kind'>): boolean {
  return namesLiteral.has(kind) || /^["'`\d]/.test(label);
}

/** Returns the refactorings for one call: the titles of code actions and the messages that they fix are told as diagnostics are. */
export function boundRefactorings(refactorings: Refactorings, { places, telling }: LanguageRights): Refactorings {
  return {
    rename: async (path, at, newName, signal) =>
      refactorings.rename(path, await places.real(path, at), newName, signal),
    async codeActions(path, lines, kinds, signal) {
      const actions = await refactorings.codeActions(path, lines, kinds, signal);
      return actions.map((action) => ({
        ...action,
        title: telling.code(action.title),
        fixes: action.fixes.map((message) => telling.message(message, undefined)),
        expand: (given) => action.expand(given),
      }));
    },
    formatting: (path, signal) => refactorings.formatting(path, signal),
    offer: (offered) => refactorings.offer(offered),
    offered: (id) => refactorings.offered(id),
    withdraw: (id) => refactorings.withdraw(id),
  };
}
