import { commands } from './commands.ts';
import { settings, type Schema, type Setting } from './settings.ts';
import { panelViews, views, walkthroughSteps, welcomes } from './views.ts';

const own = <Value>(rows: Readonly<Record<string, Value>>): [id: string, name: string, row: Value][] =>
  Object.entries(rows).map(([name, row]) => [`drawbridge.${name}`, name, row]);

const named = (rows: Readonly<Record<string, object>>): object[] =>
  own(rows).map(([id, name, view]) => ({ id, name: `%view.${name}%`, ...view }));

/** `contributes` of `package.json`: what VS Code shows before any code of the extension runs. */
export function contributes(): object {
  return {
    mcpServerDefinitionProviders: [{ id: 'drawbridge', label: 'Drawbridge' }],
    commands: own(commands).map(([command, name, { icon, enablement }]) => ({
      command,
      title: `%command.${name}%`,
      category: 'Drawbridge',
      ...(icon !== undefined && { icon: `$(${icon})` }),
      ...(enablement !== undefined && { enablement }),
    })),
    keybindings: own(commands).flatMap(([command, , { keybinding }]) =>
      keybinding === undefined ? [] : [{ command, ...keybinding }],
    ),
    viewsContainers: {
      activitybar: [{ id: 'drawbridge', title: 'Drawbridge', icon: 'media/icon.svg' }],
      panel: [{ id: 'drawbridgeManage', title: '%container.manage%', icon: 'media/icon.svg' }],
    },
    views: { drawbridge: named(views), drawbridgeManage: named(panelViews) },
    viewsWelcome: welcomes.map(({ view, text, when }) => ({
      view: `drawbridge.${view}`,
      ...(when !== undefined && { when }),
      contents: `%welcome.${text}%`,
    })),
    walkthroughs: [walkthrough()],
    menus: { commandPalette: paletteRows(), ...menus() },
    configuration: {
      title: 'Drawbridge',
      properties: Object.fromEntries(own(settings).map(([id, name, setting]) => [id, property(name, setting)])),
    },
    jsonValidation: ['rules', 'policy'].map((name) => ({
      fileMatch: [`**/.drawbridge/${name}.json`],
      url: `./dist/${name}.schema.json`,
    })),
  };
}

/** Ids of the settings that a workspace cannot set before its user trusts it: all but those whose row allows it. */
export function restrictedConfigurations(): string[] {
  return own(settings).flatMap(([id, , { workspaceMaySet }]) => (workspaceMaySet ? [] : [id]));
}

function paletteRows(): object[] {
  return own(commands).flatMap(([command, , { palette }]) =>
    palette === undefined ? [] : [{ command, when: String(palette) }],
  );
}

/** The rows of each menu; VS Code sorts them by group and then by title. */
function menus(): Readonly<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  for (const [command, , { menus: places = [] }] of own(commands)) {
    for (const { menu, when, groups } of places) {
      (rows[menu] ??= []).push(...groups.map((group) => ({ command, when, group })));
    }
  }
  return rows;
}

function walkthrough(): object {
  return {
    id: 'welcome',
    title: '%walkthrough.title%',
    description: '%walkthrough.description%',
    icon: 'media/icon.png',
    steps: walkthroughSteps.map(({ id, as = id, when, doneOn }) => ({
      id,
      title: `%walkthrough.${as}.title%`,
      description: `%walkthrough.${id}.description%`,
      ...(when !== undefined && { when }),
      media: { image: pictures(as), altText: `%walkthrough.${as}.picture%` },
      completionEvents: doneOn,
    })),
  };
}

function property(name: string, { workspaceMaySet, ...schema }: Setting): object {
  return {
    ...withTexts(schema, name),
    ...(schema.enum !== undefined && { enumDescriptions: schema.enum.map((value) => `%setting.${name}.${value}%`) }),
    scope: workspaceMaySet ? 'window' : 'application',
    markdownDescription: `%setting.${name}%`,
  };
}

/** The schema with a description of each property at any depth. */
function withTexts(schema: Schema, name: string): object {
  const { properties, items, additionalProperties } = schema;
  const described = Object.entries(properties ?? {}).map(([key, value]) => [
    key,
    { description: `%setting.${name}.${key}%`, ...withTexts(value, name) },
  ]);
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(described) }),
    ...(items !== undefined && { items: withTexts(items, name) }),
    ...(additionalProperties && { additionalProperties: withTexts(additionalProperties, name) }),
  };
}

/** Returns the picture of a step for each kind of theme. `loopPicture.ts` makes them. */
function pictures(step: string) {
  const [dark, light] = [`media/walkthrough/${step}-dark.png`, `media/walkthrough/${step}-light.png`];
  return { dark, light, hc: dark, hcLight: light };
}
