import { describe, expect, it } from 'vitest';
import { decide, decideProposal } from '../../src/policy/decide.ts';
import type { PathRules } from '../../src/policy/protectedPaths.ts';
import type { Risk } from '../../src/core/tool.ts';
import type { ResolvedPath } from '../../src/ports/files.ts';
import type { FileEdit } from '../../src/ports/proposal.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

const pathRules: PathRules = { home: '/home/u', privateFolders: [] };

function at(relative: string, realPath = `/w/${relative}`): ResolvedPath {
  return {
    path: relative,
    uri: `file:///w/${relative}`,
    folder: folderAt('/w'),
    fsPath: `/w/${relative}`,
    realPath,
    kind: 'file',
    linked: realPath !== `/w/${relative}`,
    dangling: false,
    size: 1,
    modified: 1,
    linkCount: 1,
  };
}

function judged(risk: Risk, path: ResolvedPath, workspace = new FakeWorkspace(), worksUntrusted = false) {
  return decide({ risk, worksUntrusted, paths: [path], workspace, pathRules });
}

function editOf(path: ResolvedPath, base = 'a', result = 'b'): FileEdit {
  const text = (value: string) => ({ text: value, encoding: 'utf8' });
  return {
    kind: 'edit',
    path,
    base: { ...text(base), source: 'disk', unsaved: false, unifiedLineEnds: 0 },
    result: text(result),
  };
}

function proposed(file: FileEdit, workspace = new FakeWorkspace()) {
  return decideProposal({ tool: { risk: 'edit' }, proposal: { kind: 'changes', files: [file] }, workspace, pathRules });
}

describe('a call', () => {
  it('may read inside, protected paths too', () => {
    expect(judged('read', at('src/a.ts'))).toMatchObject({ effect: 'allow', protectedBy: [undefined] });
    expect(judged('read', at('.vscode/settings.json')).effect).toBe('allow');
  });

  it('asks for every other risk, and says what protects a path', () => {
    for (const risk of ['edit', 'delete', 'execute', 'network', 'config'] as const) {
      expect(judged(risk, at('src/a.ts')).effect, risk).toBe('ask');
    }
    expect(judged('edit', at('.vscode/tasks.json'))).toMatchObject({ effect: 'ask', protectedBy: ['**/.vscode'] });
  });

  it.each(['read', 'edit'] as const)('P3 never comes to secrets and private paths: %s', (risk) => {
    for (const path of ['.env', '.git/config', 'secrets/a', 'tls.key']) {
      expect(judged(risk, at(path)), path).toMatchObject({ effect: 'deny', code: 'denied' });
    }
    const link = judged(risk, at('notes.txt', '/w/.env'));
    expect(link).toMatchObject({ effect: 'deny', code: 'denied' });
    expect(link.effect === 'deny' && link.message).toContain('/w/.env');
  });

  it('P1 P3 is refused outside', () => {
    expect(judged('read', at('x', '/w-evil/x'))).toMatchObject({ effect: 'deny', code: 'outside_workspace' });
  });

  it('in an untrusted workspace only reads single files and lists', () => {
    const workspace = new FakeWorkspace();
    workspace.trusted = false;
    expect(judged('read', at('a'), workspace)).toMatchObject({ effect: 'deny', code: 'not_trusted' });
    expect(judged('read', at('a'), workspace, true).effect).toBe('allow');
    expect(judged('edit', at('a'), workspace)).toMatchObject({ effect: 'deny', code: 'not_trusted' });
    expect(judged('read', at('.env'), workspace, true)).toMatchObject({ code: 'denied' });
  });
});

describe('a proposal', () => {
  it('asks, marks what is protected, and is refused where a call would be', () => {
    expect(proposed(editOf(at('src/a.ts')))).toMatchObject({ effect: 'ask', protectedBy: [undefined] });
    expect(proposed(editOf(at('Makefile')))).toMatchObject({
      effect: 'ask',
      reason: 'protected path',
      protectedBy: ['**/makefile'],
    });
    expect(proposed(editOf(at('a', '/w/.env')))).toMatchObject({ effect: 'deny', code: 'denied' });
  });

  it('P5 P18 is judged by the folders and the trust of this moment', () => {
    const workspace = new FakeWorkspace();
    workspace.setFolders([folderAt('/other')]);
    expect(proposed(editOf(at('a')), workspace)).toMatchObject({ effect: 'deny', code: 'outside_workspace' });
    workspace.setFolders([folderAt('/w')]);
    workspace.trusted = false;
    expect(proposed(editOf(at('a')), workspace)).toMatchObject({ effect: 'deny', code: 'not_trusted' });
  });

  it.each([
    ['{"version":"1"}', '{"version":"2"}', undefined],
    ['{"scripts":{"a":"x"}}', '{"scripts":{"a":"x"},"name":"n"}', undefined],
    ['{"scripts":{"a":"x"}}', '{"scripts":{"a":"y"}}', '**/package.json'],
    ['{}', '{"devDependencies":{"a":"1"}}', '**/package.json'],
    ['{}', '{"bin":"x"}', '**/package.json'],
    ['{}', '{"workspaces":[]}', '**/package.json'],
    ['{}', '{"packageManager":"x"}', '**/package.json'],
    ['{}', '{broken', '**/package.json'],
  ])('package.json %s -> %s is protected by %s', (base, result, expected) => {
    expect(proposed(editOf(at('pkg/package.json'), base, result)).protectedBy).toEqual([expected]);
  });
});
