import { defineResource, type Resource } from '#call/resource.ts';
import { redPixel } from './media.ts';

const neverChanges = { watch: () => ({ dispose: () => undefined }) };

const common = {
  ...neverChanges,
  judgedAs: 'test_simple_text',
  needs: [],
  targets: () => [],
} as const;

const templateAddress = /^test:\/\/template\/([^/]+)\/data$/;

export const resources: readonly Resource[] = [
  defineResource({
    ...common,
    address: { uri: 'test://static-text' },
    name: 'static_text',
    title: 'Static text',
    description: 'Text that never changes.',
    mimeType: 'text/plain',
    match: (uri) => (uri === 'test://static-text' ? {} : undefined),
    read: async () => ({ mimeType: 'text/plain', text: 'This is the content of the static text resource.' }),
  }),
  defineResource({
    ...common,
    address: { uri: 'test://static-binary' },
    name: 'static_binary',
    title: 'Static image',
    description: 'An image that never changes.',
    mimeType: 'image/png',
    match: (uri) => (uri === 'test://static-binary' ? {} : undefined),
    read: async () => ({ mimeType: 'image/png', blob: redPixel }),
  }),
  defineResource({
    ...common,
    address: { uri: 'test://watched-resource' },
    name: 'watched_resource',
    title: 'Watched resource',
    description: 'Text that can be watched.',
    mimeType: 'text/plain',
    match: (uri) => (uri === 'test://watched-resource' ? {} : undefined),
    read: async () => ({ mimeType: 'text/plain', text: 'Watched content' }),
  }),
  defineResource({
    ...common,
    address: { uriTemplate: 'test://template/{id}/data' },
    name: 'template',
    title: 'Template',
    description: 'Data of an id.',
    mimeType: 'application/json',
    match(uri) {
      const id = templateAddress.exec(uri)?.[1];
      return id === undefined ? undefined : { id };
    },
    read: async ({ id }) => ({
      mimeType: 'application/json',
      text: JSON.stringify({ id, data: `Data for ID: ${id}` }),
    }),
  }),
];
