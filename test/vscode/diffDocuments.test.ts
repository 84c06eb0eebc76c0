import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { DiffDocuments, diffUris, parseDiffUri } from '../../src/vscode/diffDocuments.ts';
import { FakeApprovals } from '../fakes/approvals.ts';
import { commands } from '../fakes/vscode.ts';

vi.mock('vscode', () => import('../fakes/vscode.ts'));

beforeEach(() => {
  commands.executed.length = 0;
});

function scene(...paths: string[]) {
  const approvals = new FakeApprovals();
  const files = paths.map((path) => ({ path, base: `old ${path} é\r\n`, result: `new ${path} é\r\n` }));
  const approval = approvals.add({ id: 'a-1', files });
  return { approvals, approval, documents: new DiffDocuments(approvals) };
}

describe('the two sides of a diff', () => {
  test('have one path, so that the editor sees a change and no rename', () => {
    const { approval } = scene('src/a b#?.ts', 'src/b.ts');
    const [base, proposal] = diffUris(approval, 1);
    expect([base.scheme, base.authority, proposal.authority]).toEqual(['drawbridge', 'base', 'proposal']);
    expect([base.path, base.query]).toEqual(['/src/b.ts', 'a-1/1']);
    expect([proposal.path, proposal.query]).toEqual([base.path, base.query]);
    expect(parseDiffUri(diffUris(approval, 0)[1])).toEqual({ side: 'proposal', approvalId: 'a-1', fileIndex: 0 });
  });

  test('are the texts of the approval, read as UTF-8 whatever the settings say', async () => {
    const { approval, documents } = scene('a.ts');
    const [base, proposal] = diffUris(approval, 0);
    expect(Buffer.from(await documents.readFile(base)).toString()).toBe('\uFEFFold a.ts é\r\n');
    expect(Buffer.from(await documents.readFile(proposal)).toString()).toBe('\uFEFFnew a.ts é\r\n');
  });

  test('cannot be written', async () => {
    const { approval, documents } = scene('a.ts');
    for (const uri of diffUris(approval, 0)) {
      const stat = await documents.stat(uri);
      expect(stat).toMatchObject({ type: vscode.FileType.File, permissions: vscode.FilePermission.Readonly });
      expect(stat.size).toBe((await documents.readFile(uri)).length);
      for (const write of ['writeFile', 'delete', 'rename', 'createDirectory'] as const) {
        expect(() => documents[write](uri)).toThrow('NoPermissions');
      }
    }
  });

  test.each([
    'drawbridge://other/a.ts?a-1/0',
    'drawbridge://base/a.ts?a-2/0',
    'drawbridge://base/a.ts?a-1/7',
    'drawbridge://base/a.ts?a-1/x',
    'drawbridge://base/a.ts?a-1',
    'drawbridge://base/a.ts',
    'drawbridge://base/a.ts?../a-1/0',
    'file:///a.ts?a-1/0',
  ])('there is nothing at %s', async (address) => {
    const { documents } = scene('a.ts');
    await expect(documents.readFile(vscode.Uri.parse(address))).rejects.toThrow('FileNotFound');
    await expect(documents.stat(vscode.Uri.parse(address))).rejects.toThrow('FileNotFound');
  });
});

describe('Open diff', () => {
  test('of one file opens the diff editor and leaves the keyboard alone', async () => {
    const { approval, documents } = scene('src/a.ts');
    await documents.openDiff('a-1');
    const [base, proposal] = diffUris(approval, 0);
    const options = { preview: true, preserveFocus: true };
    expect(commands.executed).toEqual([['vscode.diff', base, proposal, 'src/a.ts (proposed change)', options]]);
  });

  test('of several files opens the multi-file diff, of one of them the diff editor', async () => {
    const { approval, approvals, documents } = scene('src/a.ts', 'src/b.ts');
    approvals.change('a-1', { state: 'applied' });
    await documents.openDiff('a-1');
    await documents.openDiff('a-1', 1);
    expect(commands.executed).toMatchObject([
      [
        'vscode.changes',
        'Drawbridge: applied change',
        approval.files.map(({ uri }, index) => [vscode.Uri.parse(uri), ...diffUris(approval, index)]),
      ],
      ['vscode.diff', diffUris(approval, 1)[0], diffUris(approval, 1)[1], 'src/b.ts (applied change)', {}],
    ]);
  });

  test('of something that is gone does nothing, of a file that never was is an error', async () => {
    const { documents } = scene('a.ts', 'b.ts');
    await documents.openDiff('a-9');
    expect(commands.executed).toEqual([]);
    await expect(documents.openDiff('a-1', 5)).rejects.toThrow(RangeError);
  });
});
