import { ToolError } from '#base/toolError.ts';
import type { Media, Tool } from '#call/tool.ts';
import { fixtureTool, noArguments } from './fixtureTool.ts';
import { redPixel, silence } from './media.ts';

const image: Media = { kind: 'image', mimeType: 'image/png', data: redPixel };
const audio: Media = { kind: 'audio', mimeType: 'audio/wav', data: silence };

/** One tool for each kind of content, and one that fails. */
export const contentTools: readonly Tool[] = [
  fixtureTool({
    name: 'test_simple_text',
    description: 'Answers with text.',
    input: noArguments,
    answer: () => 'This is a simple text response for testing.',
  }),
  fixtureTool({
    name: 'test_image_content',
    description: 'Answers with an image.',
    input: noArguments,
    answer: () => 'A red pixel.',
    besides: { media: [image] },
  }),
  fixtureTool({
    name: 'test_audio_content',
    description: 'Answers with a sound.',
    input: noArguments,
    answer: () => 'Silence.',
    besides: { media: [audio] },
  }),
  fixtureTool({
    name: 'test_embedded_resource',
    description: 'Answers with an embedded resource.',
    input: noArguments,
    answer: () => 'An embedded resource.',
    besides: { embedded: [{ uri: 'test://embedded-resource', path: 'embedded.txt', text: 'Embedded content.' }] },
  }),
  fixtureTool({
    name: 'test_multiple_content_types',
    description: 'Answers with text, an image and an embedded resource.',
    input: noArguments,
    answer: () => 'Multiple content types test:',
    besides: {
      media: [image],
      embedded: [{ uri: 'test://mixed-content-resource', path: 'mixed.json', text: '{"test":"data","value":123}' }],
    },
  }),
  fixtureTool({
    name: 'test_error_handling',
    description: 'Fails.',
    input: noArguments,
    answer() {
      throw new ToolError('unavailable', 'This tool intentionally returns an error for testing.', 'Expect it.');
    },
  }),
];
