/** Summarizes the arguments of a tool call for the record, without secrets and without the text of files. */
import { hash } from 'node:crypto';
import type { Redactor } from './redactor.ts';
import { isSecretName } from './secretHeuristics.ts';

const previewLength = 512;
const longestString = 80;
const headLength = 40;
const mostEntries = 20;
/** Number of characters to redact before the cut, so that a secret in the first characters is recognized as a whole. */
const readForHead = 8192;

type Redaction = Pick<Redactor, 'redact' | 'replaceAll'>;

/** Names of arguments that hold the text of files; the record never contains such text. */
const contentNames = /text|content|patch|string|body|code|snippet|diff|lines$|^source$/i;

/** Returns the SHA-256 (hex) of the arguments as JSON with sorted keys, so that equal arguments have equal digests. */
export function argumentsDigest(value: unknown): string {
  return sha256(JSON.stringify(value, (_key, inner: unknown) => sortKeys(inner)) ?? 'null');
}

/**
 * Returns the arguments of a call as at most 512 characters of JSON, cut at the end. A long string becomes its length, SHA-256 and
 * first characters; the text of files (`oldText`, `newText` and the like) becomes its length and SHA-256 (16 digits) only. The
 * arguments are not validated yet, so they may be any value.
 */
export function argumentsPreview(value: unknown, redaction: Redaction): string {
  // Redact before cutting: half a secret would not be recognized.
  const json = JSON.stringify(shorten(value, '', redaction)) ?? 'null';
  return json.length > previewLength ? `${json.slice(0, previewLength - 1)}…` : json;
}

function shorten(value: unknown, name: string, redaction: Redaction): unknown {
  if (typeof value === 'string') return shortenString(value, name, redaction);
  if (typeof value === 'number' && isSecretName(name)) return redaction.replaceAll(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice(0, mostEntries).map((item) => shorten(item, name, redaction));
    return value.length > mostEntries ? [...items, `… ${value.length - mostEntries} more`] : items;
  }
  const entries = Object.entries(value).slice(0, mostEntries);
  return Object.fromEntries(
    entries.map(([key, inner]) => [redaction.redact(key).slice(0, longestString), shorten(inner, key, redaction)]),
  );
}

function shortenString(text: string, name: string, { redact, replaceAll }: Redaction): unknown {
  if (isSecretName(name)) return replaceAll(text);
  const fingerprint = { len: text.length, sha256: sha256(text).slice(0, 16) };
  if (contentNames.test(name)) return fingerprint;
  if (text.length <= longestString) return redact(text);
  // A text of several lines under an unknown name is most likely a file.
  if (/[\r\n]/.test(text)) return fingerprint;
  return { ...fingerprint, head: redact(text.slice(0, readForHead)).slice(0, headLength) };
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
