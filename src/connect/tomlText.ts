import type { JsonValue } from './assistant.ts';
import { isRecord } from './plainValue.ts';

/** As in `args = ["a"]`. */
export function tomlAssignment(key: string, value: JsonValue): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

export function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A value on one line. Strings of JSON are basic strings of TOML, but for DEL, which JSON leaves as it is. */
export function tomlValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (isRecord(value)) {
    const rows = Object.entries(value).map(([key, inner]) => tomlAssignment(key, inner));
    return rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`;
  }
  return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007F`);
}
