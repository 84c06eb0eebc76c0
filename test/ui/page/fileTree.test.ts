import { expect, it } from 'vitest';
import { fileTree } from '#ui/page/fileTree.ts';

it('joins folders that hold nothing but one folder, and sorts names as a person does', () => {
  const tree = fileTree(['src/pages/page10.ts', 'src/pages/page2.ts', 'src/app.ts', 'test/deep/er/a.ts']);
  expect(tree).toEqual({
    name: '',
    files: [],
    folders: [
      { name: 'src', files: [2], folders: [{ name: 'pages', files: [1, 0], folders: [] }] },
      { name: 'test/deep/er', files: [3], folders: [] },
    ],
  });
});

it('joins the root with its only folder', () => {
  expect(fileTree(['src/a/b.ts', 'src/a/c.ts'])).toEqual({ name: 'src/a', files: [0, 1], folders: [] });
});
