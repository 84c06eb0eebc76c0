import type { Risk } from '#base/toolError.ts';

/** MCP `Icon` (schema 2025-11-25). */
export interface Icon {
  readonly src: string;
  readonly mimeType: string;
  readonly sizes: string[];
}

/** SVG paths on a 16 x 16 grid, one for each risk, so that a tool list shows at a glance which tools change something. */
const drawings: Readonly<Record<Risk, string>> = {
  read: 'M1 8q7-9 14 0-7 9-14 0zM8 6v4',
  edit: 'M2 14l1-4 8-8 3 3-8 8z',
  delete: 'M2 4h12M6 4V2h4v2M4 4l1 10h6l1-10',
  execute: 'M4 2l9 6-9 6z',
  network: 'M2 8h12M8 2q5 6 0 12M8 2q-5 6 0 12',
  config: 'M2 4h12M2 12h12M5 2v4M11 10v4',
  ui: 'M2 3h12v10H2zM2 6h12',
};

const icons = new Map(Object.entries(drawings).map(([risk, path]) => [risk, iconOf(path)]));

/** Returns the icons of the tools of a risk. */
export function riskIcons(risk: Risk): Icon[] {
  const icon = icons.get(risk);
  return icon === undefined ? [] : [icon];
}

/** The server's icon: a half-open drawbridge. */
export const serverIcons: readonly Icon[] = [iconOf('M2 14V5h3v9M11 14V5h3v9M5 12l6-5M1 14h14')];

/** Draws an icon in a grey that is visible on light and dark backgrounds. */
function iconOf(path: string): Icon {
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='${path}' fill='none' stroke='#888'/></svg>`;
  return { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, mimeType: 'image/svg+xml', sizes: ['any'] };
}
