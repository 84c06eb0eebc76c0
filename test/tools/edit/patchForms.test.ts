import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { parsePatch } from '#tools/edit/patch/parsePatch.ts';
import type { FilePatch } from '#tools/edit/patch/patchSyntax.ts';

/** The files of a patch in short: what, where, how many hunks or which content. */
const summary = (patch: string): string[] => parsePatch(patch).map(shortened);

function shortened(file: FilePatch): string {
  if (file.kind === 'create') return `create ${file.path} ${JSON.stringify(file.content)}`;
  const to = file.kind === 'edit' && file.to !== undefined ? ` to ${file.to}` : '';
  return `${file.kind} ${file.path}${to} ${file.hunks.length}`;
}

/** The lines of each hunk of the only file, with their signs. */
function bodies(patch: string): string[] {
  const [file] = parsePatch(patch);
  if (file === undefined || file.kind === 'create') throw new Error('Expected hunks');
  const signs = { context: ' ', removed: '-', added: '+' };
  return file.hunks.map(({ lines }) => lines.map(({ kind, text }) => signs[kind] + text).join('|'));
}

function complaint(patch: string): string {
  try {
    parsePatch(patch);
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return error.message;
    throw error;
  }
  throw new Error('Expected a complaint');
}

const hunk = '@@ -1 +1 @@\n-a\n+b\n';

describe('a unified diff', () => {
  it('is read in the form that git writes', () => {
    const patch = `From 0123 Mon Sep 17 00:00:00 2001
Subject: [PATCH] Several files

---
 src/a.ts | 2 +-

diff --git a/src/a.ts b/src/a.ts
index 0123456..789abcd 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@ function f() {
 x
-a
+b

diff --git a/old.ts b/new.ts
similarity index 100%
rename from old.ts
rename to new.ts
diff --git a/dir/one.ts b/dir/two.ts
similarity index 90%
rename from dir/one.ts
rename to dir/two.ts
--- a/dir/one.ts
+++ b/dir/two.ts
${hunk}diff --git a/added.ts b/added.ts
new file mode 100644
index 0000000..0123456
--- /dev/null
+++ b/added.ts
@@ -0,0 +1,2 @@
+one
+two
\\ No newline at end of file
diff --git a/my empty.ts b/my empty.ts
new file mode 100644
index 0000000..e69de29
diff --git a/gone.sh b/gone.sh
deleted file mode 100755
index 0123456..0000000
--- a/gone.sh
+++ /dev/null
@@ -1 +0,0 @@
-a
--${' '}
2.43.0

`;
    expect(summary(patch)).toEqual([
      'edit src/a.ts 1',
      'edit old.ts to new.ts 0',
      'edit dir/one.ts to dir/two.ts 1',
      'create added.ts "one\\ntwo"',
      'create my empty.ts ""',
      'delete gone.sh 1',
    ]);
  });

  it('is read in the forms that diff, svn and the npm package diff write', () => {
    expect(summary(`--- x.c\t2024-01-01 10:00:00.0 +0000\n+++ x.c\t2024-01-02 10:00:00.0 +0000\n${hunk}`)).toEqual([
      'edit x.c 1',
    ]);
    expect(summary(`--- x.c 2024-01-01 10:00:00\n+++ x.c 2024-01-02 10:00:00\n${hunk}`)).toEqual(['edit x.c 1']);
    expect(summary(`diff -ru a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n${hunk}`)).toEqual(['edit x.c 1']);
    const rule = '='.repeat(67);
    expect(summary(`Index: x.c\n${rule}\n--- x.c\t(revision 1)\n+++ x.c\t(working copy)\n${hunk}`)).toEqual([
      'edit x.c 1',
    ]);
  });

  it('may have file names that git quotes', () => {
    const patch = `--- "a/gr\\303\\274n \\"x\\".ts"\n+++ "b/gr\\303\\274n \\"x\\".ts"\n${hunk}`;
    expect(summary(patch)).toEqual(['edit grün "x".ts 1']);
    expect(summary('diff --git "a/\\303\\274" "b/\\303\\274"\nnew file mode 100644\n')).toEqual(['create ü ""']);
  });

  it('may lack the prefixes a/ and b/, or one of them', () => {
    expect(summary(`--- src/x\n+++ src/x\n${hunk}`)).toEqual(['edit src/x 1']);
    expect(summary(`--- a/src/x\n+++ src/x\n${hunk}`)).toEqual(['edit src/x 1']);
    expect(summary(`--- src/x\n+++ b/src/x\n${hunk}`)).toEqual(['edit src/x 1']);
    expect(summary(`--- a/x\n+++ a/x\n${hunk}`)).toEqual(['edit a/x 1']);
    expect(summary(`--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n`)).toEqual(['create x "a\\n"']);
    expect(summary(`--- y\n+++ y\n${hunk}--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n`)).toEqual([
      'edit y 1',
      'create b/x "a\\n"',
    ]);
  });

  it('may stand in a code fence after a sentence', () => {
    expect(summary(`Here it is:\n\n\`\`\`diff\n--- a/x\n+++ b/x\n${hunk}\`\`\`\n`)).toEqual(['edit x 1']);
  });

  it('may have wrong line counts', () => {
    const file = '--- a/x\n+++ b/x\n';
    expect(bodies(`${file}@@ -1,9 +1,9 @@\n a\n-b\n+c\n@@ -8,0 +8,0 @@\n-d\n+e\n`)).toEqual([' a|-b|+c', '-d|+e']);
    expect(summary(`${file}@@ -1,9 +1,9 @@\n-a\n+b\n--- a/y\n+++ b/y\n${hunk}`)).toEqual(['edit x 1', 'edit y 1']);
    expect(bodies(`${file}@@ -1,3 +1,1 @@\n-a\n--- b\n-- c\n+++ d\n`)).toEqual(['-a|--- b|-- c|+++ d']);
  });

  it('may have lines that look like headers', () => {
    const file = '--- a/x\n+++ b/x\n';
    const likeHeader = '--- a/y\n+++ b/y\n';
    expect(bodies(`${file}@@ -1 +1 @@\n${likeHeader}@@ -9 +9 @@\n-a\n+b\n`)).toEqual(['--- a/y|+++ b/y', '-a|+b']);
    // The counts are wrong, but a file would go on with "@@".
    expect(bodies(`${file}@@ -1,7 +1,7 @@\n${likeHeader} z\n`)).toEqual(['--- a/y|+++ b/y| z']);
  });

  it('may lack the space of empty context lines', () => {
    expect(bodies('--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n')).toEqual([' a| |-b|+c']);
    expect(bodies('--- a/x\n+++ b/x\n@@ @@\n a\n\n-b\n+c\n\n\n')).toEqual([' a| |-b|+c']);
  });

  it.each([
    ['nothing that is a patch', 'hello\n', 'patch line 1: expected a unified diff'],
    ['a hunk of no file', hunk, 'line 1: expected "--- a/file"'],
    ['a file without a hunk', '--- a/x\n+++ b/x\nfoo\n', 'line 3: expected a hunk that begins with "@@", found "foo"'],
    ['a hunk without lines', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n', 'line 4: expected lines that begin with'],
    [
      'a line without a sign',
      `--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\nc\n`,
      'line 6: expected "@@", a line of the hunk',
    ],
    ['--- without +++', '--- a/x\n@@ -1 +1 @@\n-a\n', 'line 2: expected "--- a/file" and "+++ b/file" before'],
    ['two names', `--- a/x\n+++ b/y\n${hunk}`, 'add "rename from" and "rename to" lines'],
    ['half a rename', `rename from x\n--- a/x\n+++ b/y\n${hunk}`, 'go together'],
    ['a rename of others', `rename from x\nrename to y\n--- a/x\n+++ b/z\n${hunk}`, 'name other files'],
    ['no names', `--- /dev/null\n+++ /dev/null\n${hunk}`, 'line 1: expected the name of a file'],
    ['a git header alone', 'diff --git a/x b/x\n', 'line 1: the patch has no change for "x"'],
    ['modes', 'diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', 'line 2: file modes are never changed'],
    [
      'an executable',
      'diff --git a/x b/x\nnew file mode 100755\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n',
      'mode 100755',
    ],
    [
      'a link',
      'diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n',
      'symbolic links',
    ],
    ['a changed link', `diff --git a/x b/x\nindex 0123..4567 120000\n--- a/x\n+++ b/x\n${hunk}`, 'symbolic links'],
    ['a submodule', `diff --git a/x b/x\nindex 0123..4567 160000\n--- a/x\n+++ b/x\n${hunk}`, 'submodules'],
    ['a strange mode', 'diff --git a/x b/x\ndeleted file mode 040000\n', 'mode 040000'],
    ['git binary', 'diff --git a/x b/x\nindex 01..23 100644\nGIT binary patch\nliteral 3\n', 'line 3: binary patches'],
    ['binary', 'diff --git a/x b/x\nBinary files a/x and b/x differ\n', 'line 2: binary patches'],
    ['a copy', 'diff --git a/x b/y\ncopy from x\ncopy to y\n', 'line 2: copies'],
    ['a merge', 'diff --cc x\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n', 'line 4: combined diffs'],
    [
      'a created file with old lines',
      '--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n a\n+b\n',
      'line 3: every line of a file that is created',
    ],
    [
      'a marker first',
      '--- a/x\n+++ b/x\n@@ @@\n\\ No newline at end of file\n-a\n',
      'line 4: expected a line of the hunk before',
    ],
    ['a marker too early', '--- a/x\n+++ b/x\n@@ @@\n-a\n\\ No newline at end of file\n b\n', 'line 5: "\\ No newline'],
    ['a name without end', `--- a/${'x'.repeat(5000)}\n+++ /dev/null\n${hunk}`, 'longer than 4096'],
    ['an empty name', `--- a/\n+++ b/\n${hunk}`, 'name of a file is empty'],
    ['too many files', `--- a/x\n+++ b/x\n${hunk}`.repeat(501), '501 files'],
  ])('is refused with %s', (_, patch, message) => expect(complaint(patch)).toContain(message));
});

describe('a Codex patch', () => {
  it('is read in the form that Codex writes', () => {
    const patch = `*** Begin Patch
*** Add File: hello.txt
+Hello
++more
*** Update File: src/app.py
*** Move to: src/main.py
@@ class Greeter
@@   def greet():
-print("Hi")
+print("Hello")

@@
 last
-line
*** End of File
*** Delete File: obsolete.txt
*** Add File: empty.txt
*** Update File: only/moved.ts
*** Move to: there/moved.ts
*** End Patch
`;
    expect(summary(patch)).toEqual([
      'create hello.txt "Hello\\n+more\\n"',
      'edit src/app.py to src/main.py 2',
      'delete obsolete.txt 0',
      'create empty.txt ""',
      'edit only/moved.ts to there/moved.ts 0',
    ]);
    expect(parsePatch(patch)[1]).toMatchObject({
      hunks: [
        { patchLine: 7, anchors: ['class Greeter', 'def greet():'], atEnd: false },
        {
          anchors: [],
          atEnd: true,
          lines: [
            { kind: 'context', text: 'last' },
            { kind: 'removed', text: 'line' },
          ],
        },
      ],
    });
  });

  it('may lack the first @@, have white space around its marks, CRLF, or stand in a here-document', () => {
    expect(bodies('*** Begin Patch\n*** Update File: x\n a\n-b\n+c\n*** End Patch')).toEqual([' a|-b|+c']);
    expect(summary(' *** Begin Patch \n*** Add File: x \n+a\n *** End Patch \n')).toEqual(['create x "a\\n"']);
    expect(summary('*** Begin Patch\r\n*** Add File: x\r\n+a\r\n*** End Patch\r\n')).toEqual(['create x "a\\n"']);
    expect(summary("<<'EOF'\n*** Begin Patch\n*** Delete File: x\n*** End Patch\nEOF\n")).toEqual(['delete x 0']);
  });

  it('may hold lines that look like a unified diff, and the other way round', () => {
    const body = ' x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    expect(bodies(`*** Begin Patch\n*** Update File: x\n@@\n${body}*** End Patch`)).toEqual([
      ' x|--- a/x|+++ b/x',
      '-a|+b',
    ]);
    expect(bodies('--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n *** Begin Patch\n-*** End Patch\n')).toEqual([
      ' *** Begin Patch|-*** End Patch',
    ]);
  });

  it.each([
    ['no end', '*** Begin Patch\n*** Delete File: x\n', 'line 3: expected "*** Update File: "'],
    ['no beginning', '*** Update File: x\n@@\n-a\n+b\n*** End Patch\n', 'line 1: expected a unified diff'],
    ['nothing in it', '*** Begin Patch\n*** End Patch\n', 'line 2: expected "*** Update File: "'],
    [
      'something after it',
      '*** Begin Patch\n*** Delete File: x\n*** End Patch\nrm x\n',
      'line 4: expected nothing after',
    ],
    [
      'an unknown operation',
      '*** Begin Patch\n*** Remove File: x\n*** End Patch\n',
      'line 2: expected "*** Update File: "',
    ],
    ['no name', '*** Begin Patch\n*** Delete File: \n*** End Patch\n', 'line 2: expected the name of a file'],
    [
      'no new name',
      '*** Begin Patch\n*** Update File: x\n*** Move to:\n*** End Patch\n',
      'line 3: expected the new name',
    ],
    [
      'an update without hunks',
      '*** Begin Patch\n*** Update File: x\n*** End Patch\n',
      'line 3: expected "@@" and the changed',
    ],
    [
      'a hunk without lines',
      '*** Begin Patch\n*** Update File: x\n@@ f()\n*** End Patch\n',
      'line 4: expected lines that begin',
    ],
    ['a line without a sign', '*** Begin Patch\n*** Update File: x\n@@\n-a\nb\n*** End Patch\n', 'line 5: expected'],
    ['an added line without +', '*** Begin Patch\n*** Add File: x\n+a\n\n+b\n*** End Patch\n', 'line 5: expected'],
    ['lines below a delete', '*** Begin Patch\n*** Delete File: x\n-a\n*** End Patch\n', 'line 3: expected'],
  ])('is refused with %s', (_, patch, message) => expect(complaint(patch)).toContain(message));
});
