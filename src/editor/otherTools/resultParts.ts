import * as z from 'zod';
import type { Media } from '#base/media.ts';
import type { OtherToolResult } from '#call/ports/otherTools.ts';

/** The parts of a result are told apart by their form, because newer editors have more kinds than the API this is built for. */
const dataPart = z.object({ data: z.instanceof(Uint8Array), mimeType: z.string() });
const valuePart = z.object({ value: z.unknown() });

/** Returns the text and media of the result of a tool that the editor knows. */
export function readParts(content: readonly unknown[]): OtherToolResult {
  const media: Media[] = [];
  const texts = content.map((part) => {
    const data = dataPart.safeParse(part).data;
    if (data !== undefined) return takeData(data, media);
    const value = valuePart.safeParse(part);
    return value.success ? textOf(value.data.value) : '(a part of a kind that is not known is left out)';
  });
  return { text: texts.filter((text) => text !== '').join('\n'), media };
}

function takeData({ data, mimeType }: z.infer<typeof dataPart>, media: Media[]): string {
  if (/^text\/|[/+]json$/.test(mimeType)) return new TextDecoder().decode(data);
  const kind = mediaKind(mimeType);
  if (kind === undefined) return `(${data.byteLength} bytes of ${mimeType.slice(0, 100)} are left out)`;
  media.push({ kind, mimeType, data: Buffer.from(data).toString('base64') });
  return '';
}

function mediaKind(mimeType: string): Media['kind'] | undefined {
  if (mimeType.startsWith('image/')) return 'image';
  return mimeType.startsWith('audio/') ? 'audio' : undefined;
}

/** Returns the text of a value: a string, a tree of `@vscode/prompt-tsx` in which only some nodes are text, or JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const pieces = promptTexts(value);
  return pieces.length > 0 ? pieces.join('') : (JSON.stringify(value) ?? '');
}

const promptText = z.object({ type: z.literal(2), text: z.string(), lineBreakBefore: z.boolean().optional() });
const promptNode = z.union([z.object({ node: z.unknown() }), z.object({ children: z.array(z.unknown()) })]);

function promptTexts(value: unknown): readonly string[] {
  const text = promptText.safeParse(value).data;
  if (text !== undefined) return [text.lineBreakBefore === true ? `\n${text.text}` : text.text];
  const node = promptNode.safeParse(value).data;
  if (node === undefined) return [];
  return 'node' in node ? promptTexts(node.node) : node.children.flatMap(promptTexts);
}

const registeredResult = z.object({
  text: z.string().optional(),
  content: z
    .array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.enum(['image', 'audio']), data: z.base64(), mimeType: z.string() }),
      ]),
    )
    .optional(),
  isError: z.boolean().optional(),
});

/**
 * Returns the text and media of the result of a tool that an extension registered.
 * @throws Error when the result has another form
 */
export function readRegisteredResult(result: unknown): OtherToolResult {
  const parsed = registeredResult.safeParse(result);
  if (!parsed.success) throw new Error('The tool returned something that is no result.');
  const { text, content = [], isError } = parsed.data;
  const texts = [text, ...content.map((part) => (part.type === 'text' ? part.text : undefined))];
  return {
    text: texts.filter((each) => each !== undefined && each !== '').join('\n'),
    ...(isError === true && { isError: true }),
    media: content.flatMap((part) =>
      part.type === 'text' ? [] : [{ kind: part.type, mimeType: part.mimeType, data: part.data }],
    ),
  };
}
