import { InvalidArgumentsError } from '#base/toolError.ts';
import { beginPatch, parseCodex } from './codexPatch.ts';
import type { FilePatch } from './patchSyntax.ts';
import { parseUnified } from './unifiedDiff.ts';

/** The most files of one patch, as many as `apply_edit` accepts in `edits`. */
const maximumFiles = 500;
const maximumAddress = 4096;

/**
 * Reads what a patch does to each file, in the order of the patch. The form is that of whichever comes first:
 * `*** Begin Patch` or the header of a unified diff.
 * @throws InvalidArgumentsError that names the line of the patch and what was expected there
 */
export function parsePatch(patch: string): readonly FilePatch[] {
  const first = patch.split(/\r?\n/).find((line) => line.trim() === beginPatch || /^(--- |diff --git )/.test(line));
  const files = first?.trim() === beginPatch ? parseCodex(patch) : parseUnified(patch);
  if (files.length > maximumFiles) {
    throw new InvalidArgumentsError(
      `patch: ${files.length} files are more than one call may change; send at most ${maximumFiles} files`,
    );
  }
  const wrong = addressesOf(files).find((address) => address === '' || address.length > maximumAddress);
  if (wrong !== undefined) {
    throw new InvalidArgumentsError(
      `patch: the name of a file is ${wrong === '' ? 'empty' : `longer than ${maximumAddress} characters`}`,
    );
  }
  return files;
}

/** Returns every address of a patch once. */
export function addressesOf(files: readonly FilePatch[]): readonly string[] {
  return [
    ...new Set(
      files.flatMap((file) => (file.kind === 'edit' && file.to !== undefined ? [file.path, file.to] : [file.path])),
    ),
  ];
}
