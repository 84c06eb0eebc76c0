import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this repository, absolute. */
export const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where the test host is installed and keeps its records: `.host` of this repository, or DRAWBRIDGE_TEST_HOST. */
export function hostFolder(): string {
  return resolve(process.env['DRAWBRIDGE_TEST_HOST'] ?? join(repository, '.host'));
}
