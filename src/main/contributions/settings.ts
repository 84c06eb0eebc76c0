import { guardLevels } from '#base/nativeCommand.ts';
import { withKinds } from '#call/toolKinds.ts';
import { tools } from '#tools/index.ts';

/** A JSON Schema as VS Code reads it. Texts are not in it: see `settings`. */
export interface Schema {
  readonly type: string | readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | Schema;
  /** The text of a property, where it is another one than `setting.<name>.<property>`. */
  readonly description?: string;
}

export interface Setting extends Schema {
  /** Position among the settings of Drawbridge. */
  readonly order: number;
  /** Settings Sync leaves it out: it is about this machine, or gives assistants more. */
  readonly ignoreSync?: true;
  /** A workspace may set it too. No row says so today: a repository must not loosen what its assistants may do (threat row A1). */
  readonly workspaceMaySet?: true;
}

const toolsetNames = [...new Set(tools.map(({ toolset }) => toolset))];

/** A toolset with a tool that is off until it is wanted cannot be shown as on: that would turn the tool on. */
const wholeToolsets = toolsetNames.filter((name) => tools.every((tool) => tool.toolset !== name || !tool.isOptional));

/**
 * The settings of the extension, by id without `drawbridge.`. `package.nls.json` has their texts: `setting.<name>`, and
 * `setting.<name>.<value>` or `setting.<name>.<property>` for each value and property. `npm run docs` writes them into
 * `package.json`.
 */
export const settings: Readonly<Record<string, Setting>> = {
  start: {
    type: 'string',
    enum: ['whenConnected', 'always', 'manual'],
    default: 'whenConnected',
    ignoreSync: true,
    order: 1,
  },
  'approvals.reveal': { type: 'string', enum: ['never', 'whenIdle', 'always'], default: 'never', order: 2 },
  'approvals.notify': { type: 'string', enum: ['full', 'brief', 'off'], default: 'full', order: 3 },
  'review.openInTab': { type: 'string', enum: ['never', 'large', 'always'], default: 'large', order: 3 },
  'changes.mark': { type: 'boolean', default: true, order: 4 },
  'search.maxResults': { type: 'integer', default: 200, minimum: 1, maximum: 10_000, order: 5 },
  'read.maxBytes': { type: 'integer', default: 64 * 1024, minimum: 1024, maximum: 5 * 1024 * 1024, order: 6 },
  'history.maxMegabytes': { type: 'integer', default: 500, minimum: 1, maximum: 100_000, order: 7 },
  'audit.retentionDays': { type: 'integer', default: 30, minimum: 1, maximum: 3650, order: 7 },
  toolsets: {
    type: 'object',
    default: Object.fromEntries(wholeToolsets.map((name) => [name, true])),
    properties: {
      ...Object.fromEntries(toolsetNames.map((name) => [name, { type: 'boolean' }])),
      ...Object.fromEntries(
        withKinds(tools).map(({ name, kindOf }) => [
          name,
          {
            type: 'boolean',
            description: kindOf === undefined ? '%setting.toolsets.tool%' : '%setting.toolsets.kind%',
          },
        ]),
      ),
    },
    additionalProperties: { type: 'boolean' },
    order: 8,
  },
  'commands.allow': {
    type: 'array',
    default: [],
    ignoreSync: true,
    uniqueItems: true,
    items: { type: 'string', minLength: 1, maxLength: 200 },
    order: 8,
  },
  commandTools: {
    type: 'array',
    default: [],
    ignoreSync: true,
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)+$', maxLength: 48 },
        title: { type: 'string', maxLength: 40 },
        description: { type: 'string', maxLength: 1024 },
        command: { type: 'string', maxLength: 200 },
        argumentSchema: { type: 'object' },
        arguments: { type: 'array', maxItems: 50 },
        risk: { type: 'string', enum: ['execute', 'edit'], default: 'execute' },
      },
      required: ['name', 'title', 'description', 'command'],
      additionalProperties: false,
    },
    order: 8,
  },
  'relay.tools': {
    type: 'array',
    default: [],
    ignoreSync: true,
    items: {
      type: 'object',
      properties: { name: { type: 'string' }, hash: { type: 'string' } },
      required: ['name', 'hash'],
      additionalProperties: false,
    },
    order: 8,
  },
  clients: {
    type: 'object',
    default: {},
    ignoreSync: true,
    additionalProperties: {
      type: 'object',
      properties: {
        text: { type: 'boolean' },
        structured: { type: 'boolean' },
        links: { type: 'boolean' },
        embedded: { type: 'boolean' },
        pageBytes: { type: ['integer', 'null'], minimum: 1000, maximum: 1_000_000 },
        readBytes: { type: 'integer', minimum: 1000, maximum: 5 * 1024 * 1024 },
        approvalSeconds: { type: 'integer', minimum: 1, maximum: 600 },
      },
      additionalProperties: false,
    },
    order: 8,
  },
  'guard.levels': {
    type: 'object',
    default: {},
    ignoreSync: true,
    additionalProperties: { type: 'string', enum: guardLevels },
    order: 8,
  },
  'outsideChanges.list': { type: 'boolean', default: true, order: 8 },
  mode: { type: 'string', enum: ['manual', 'readOnly'], default: 'manual', order: 8 },
};
