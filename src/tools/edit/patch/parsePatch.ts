import { InvalidArgumentsError } from '#base/toolError.ts';
import { beginPatch, parseCodex } from './codexPatch.ts';
import type { FilePatch } from './patchSyntax.ts';
import { parseUnified } from './unifiedDiff.ts';

/** As many files as one call of `apply_edit` may name in `edits`. */
const maximumFiles = 500;
const maximumAddress = 4096;

/**
 * What a patch does to each file, in its order. Which form it has shows in whichever comes first: `*** Begin Patch` or the
 * header of a unified diff.
 * @throws InvalidArgumentsError that names the line of the patch and what was expected there
 */
export function parsePatch(patch: string): readonly FilePatch[] {
  const first = patch.split(/\r?\n/).find((line) => line.trim() === beginPatch || /^(--- |diff --git )/.test(line));
  const files = first?.trim() === beginPatch ? parseCodex(patch) : parseUnified(patch);
  if (files.length > maximumFiles) {
    throw new InvalidArgumentsError(
      `patch: ${files.length} files are more than one call may change; send ${maximumFiles} at most`,
    );
  }
  const wrong = addressesOf(files).find((address) => address === '' || address.length > maximumAddress);
  if (wrong !== undefined) {
    throw new InvalidArgumentsError(
      `patch: a file's name is ${wrong === '' ? 'empty' : `longer than ${maximumAddress} characters`}`,
    );
  }
  return files;
}

/** Every address of a patch, once each. */
export function addressesOf(files: readonly FilePatch[]): readonly string[] {
  return [
    ...new Set(
      files.flatMap((file) => (file.kind === 'edit' && file.to !== undefined ? [file.path, file.to] : [file.path])),
    ),
  ];
}
