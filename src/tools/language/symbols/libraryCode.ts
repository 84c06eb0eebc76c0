import type { ResolvedPath } from '#base/files.ts';
import type { OutsideLocation } from '#base/language.ts';
import type { ToolContext } from '#call/tool.ts';
import { codeLanguageOf } from '#language/codeLanguages.ts';
import { cutToBytes, joinLines } from '../../workspace/cutLines.ts';
import { declarationsIn, declaredAt } from './declarations.ts';

/** Lines shown when no grammar knows the end of a declaration. */
const unknownExtent = 20;

interface LibraryCode {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly code: string;
  /** The declaration has more lines than fit. */
  readonly isCut: boolean;
}

/** Returns the code of a definition in a library outside the workspace; undefined when it may not be shown. */
export async function libraryCode(
  place: OutsideLocation,
  askedIn: ResolvedPath,
  room: number,
  { language, syntax, limits }: Pick<ToolContext<'language' | 'syntax'>, 'language' | 'limits' | 'syntax'>,
  signal: AbortSignal,
): Promise<LibraryCode | undefined> {
  const source = await language.librarySource(askedIn, place);
  if (source === undefined) return undefined;
  const grammar = codeLanguageOf(source.path)?.grammar;
  const outline = grammar === undefined ? undefined : await syntax.declarations(grammar, source.text, signal);
  const declared = declaredAt(place, declarationsIn(outline ?? []));
  const lines = source.text.split(/\r\n|\r|\n/);
  const { firstLine, lastLine: end } = declared?.symbol ?? {
    firstLine: place.firstLine,
    lastLine: Math.max(place.lastLine, place.firstLine + unknownExtent - 1),
  };
  const lastLine = Math.min(end, lines.length);
  if (lastLine < firstLine) return undefined;
  const page = cutToBytes(joinLines(lines.slice(firstLine - 1, lastLine)), firstLine, room, limits.form);
  return {
    firstLine,
    lastLine: page.lastLine,
    code: page.text,
    isCut: page.lastLine < lastLine || page.note !== undefined,
  };
}
