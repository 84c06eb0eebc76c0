import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { contract, contractFiles } from './contract.ts';
import { openFile } from './documents.ts';
import { editor, resetEditor } from './editor.ts';
import * as fake from './vscode.ts';

/** A part of a class, or of a namespace. */
type Part<T> = T extends abstract new (...given: infer Given) => infer Instance
  ? Omit<Partial<T>, 'prototype'> & (new (...given: Given) => Partial<Instance>)
  : T extends { readonly fs: object }
    ? Omit<Partial<T>, 'fs'>
    : Partial<T>;

// Each export has a part of the type that the API has for the same name.
fake satisfies { readonly [Name in keyof typeof vscode]?: Part<(typeof vscode)[Name]> };

let folder: string;

beforeEach(() => {
  resetEditor();
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'contract-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  editor.folders = [{ uri: vscode.Uri.file(folder), name: 'contract', index: 0 }];
  for (const [name, text] of Object.entries(contractFiles)) {
    writeFileSync(join(folder, name), text);
    openFile(join(folder, name));
  }
});

test('the fake editor exports nothing that the API does not have', () => {
  expectTypeOf<Exclude<keyof typeof fake, keyof typeof vscode>>().toBeNever();
});

test.each(contract)('the fake editor behaves like VS Code: $name', async ({ run, expected }) => {
  expect(JSON.parse(JSON.stringify(await run(vscode, folder)))).toEqual(expected);
});
