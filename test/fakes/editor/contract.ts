import type * as vscode from 'vscode';

/** A behaviour of the VS Code API as data: the fake editor and the real one must return the same result. */
export interface ContractCase {
  readonly name: string;
  /**
   * Runs in the real editor as source, so it sees nothing of this file.
   * @param folder the only folder of the workspace; it holds `contractFiles`
   * @returns what JSON can hold
   */
  readonly run: (api: typeof vscode, folder: string) => unknown;
  readonly expected: unknown;
}

/** Files of the workspace, by name. Each case that changes a file has one of its own. */
export const contractFiles = {
  'crlf.txt': 'one\r\n  two\r\n\r\nfour',
  'lf.txt': 'one\ntwo\n',
  'mixed.txt': 'one\r\ntwo\nthree\r\n',
  'applied.txt': 'one\ntwo\nthree\n',
  'events.txt': 'one\ntwo\n',
  'saved.txt': 'one\n',
  'from.txt': 'moved\n',
} as const;

export const contract: readonly ContractCase[] = [
  // Addresses
  {
    name: 'Uri.file encodes what is no part of a path',
    run: ({ Uri }) => Uri.file('/a b/c#d?e%f.ts').toString(),
    expected: 'file:///a%20b/c%23d%3Fe%25f.ts',
  },
  {
    name: 'Uri.file keeps its path as it is',
    run: ({ Uri }) => {
      const { scheme, authority, path, query, fragment, fsPath } = Uri.file('/a b/c#d.ts');
      return { scheme, authority, path, query, fragment, fsPath };
    },
    expected: { scheme: 'file', authority: '', path: '/a b/c#d.ts', query: '', fragment: '', fsPath: '/a b/c#d.ts' },
  },
  {
    name: 'Uri.parse decodes every part',
    run: ({ Uri }) => {
      const { scheme, authority, path, query, fragment } = Uri.parse('drawbridge://base/a%20b.ts?x%3D1/0#L3');
      return { scheme, authority, path, query, fragment };
    },
    expected: { scheme: 'drawbridge', authority: 'base', path: '/a b.ts', query: 'x=1/0', fragment: 'L3' },
  },
  {
    name: 'Uri.parse reads an address without a path',
    run: ({ Uri }) => ['untitled:Untitled-1', 'git:/w/a.ts', 'https://example.org'].map((each) => Uri.parse(each).path),
    expected: ['Untitled-1', '/w/a.ts', '/'],
  },
  {
    name: 'Uri.toString has slashes for an authority and for files only',
    run: ({ Uri }) => ['git:///w/a.ts', 'file:///w/a.ts', 'x://a/b'].map((each) => Uri.parse(each).toString()),
    expected: ['git:/w/a.ts', 'file:///w/a.ts', 'x://a/b'],
  },
  {
    name: 'Uri.toString without encoding is for reading',
    run: ({ Uri }) => Uri.parse('https://example.org/a%20b?c%3Dd').toString(true),
    expected: 'https://example.org/a b?c=d',
  },
  {
    name: 'Uri.with replaces parts and takes an empty text for none',
    run: ({ Uri }) => Uri.parse('x://host/a?q#f').with({ scheme: 'y', query: '', path: '/b' }).toString(),
    expected: 'y://host/b#f',
  },
  {
    name: 'Uri.joinPath resolves dots',
    run: ({ Uri }) => Uri.joinPath(Uri.parse('x://host/a/b?q'), '..', './c', 'd e').toString(),
    expected: 'x://host/a/c/d%20e?q',
  },
  {
    name: 'Uri.from takes parts',
    run: ({ Uri }) => Uri.from({ scheme: 'x', authority: 'h', path: '/a', query: 'a-1/2' }).toString(),
    expected: 'x://h/a?a-1%2F2',
  },
  {
    name: 'every Uri is an instance of Uri',
    run: ({ Uri }) =>
      [Uri.file('/a'), Uri.parse('x:y'), Uri.file('/a').with({ scheme: 'y' })].every((each) => each instanceof Uri),
    expected: true,
  },
  // Places
  {
    name: 'Position compares lines before characters',
    run: ({ Position }) => {
      const [one, other] = [new Position(1, 9), new Position(2, 0)];
      return [one.isBefore(other), one.isAfter(other), one.compareTo(other), other.compareTo(one), one.compareTo(one)];
    },
    expected: [true, false, -1, 1, 0],
  },
  {
    name: 'Position compares equal places',
    run: ({ Position }) => {
      const [one, other] = [new Position(1, 2), new Position(1, 2)];
      return [
        one.isEqual(other),
        one.isBefore(other),
        one.isBeforeOrEqual(other),
        one.isAfter(other),
        one.isAfterOrEqual(other),
      ];
    },
    expected: [true, false, true, false, true],
  },
  {
    name: 'Position.translate and Position.with make another place',
    run: ({ Position }) =>
      [
        new Position(1, 2).translate(1),
        new Position(1, 2).translate(0, -1),
        new Position(1, 2).translate({ characterDelta: 3 }),
        new Position(1, 2).with(5),
        new Position(1, 2).with({ character: 7 }),
      ].map(({ line, character }) => [line, character]),
    expected: [
      [2, 2],
      [1, 1],
      [1, 5],
      [5, 2],
      [1, 7],
    ],
  },
  {
    name: 'Range puts the earlier place first',
    run: ({ Position, Range }) =>
      [new Range(2, 0, 1, 5), new Range(new Position(3, 4), new Position(3, 1))].map(({ start, end }) => [
        start.line,
        start.character,
        end.line,
        end.character,
      ]),
    expected: [
      [1, 5, 2, 0],
      [3, 1, 3, 4],
    ],
  },
  {
    name: 'Range knows whether it is empty or within one line',
    run: ({ Range }) =>
      [new Range(1, 1, 1, 1), new Range(1, 1, 1, 2), new Range(1, 1, 2, 1)].map(({ isEmpty, isSingleLine }) => [
        isEmpty,
        isSingleLine,
      ]),
    expected: [
      [true, true],
      [false, true],
      [false, false],
    ],
  },
  {
    name: 'Range contains its ends and ranges within it',
    run: ({ Position, Range }) => {
      const range = new Range(1, 1, 3, 3);
      return [
        range.contains(new Position(1, 1)),
        range.contains(new Position(3, 3)),
        range.contains(new Position(3, 4)),
        range.contains(new Range(2, 0, 3, 3)),
        range.contains(new Range(0, 0, 2, 0)),
      ];
    },
    expected: [true, true, false, true, false],
  },
  {
    name: 'Range.intersection is undefined for ranges apart, and empty for ranges that touch',
    run: ({ Range }) =>
      [new Range(0, 0, 0, 4), new Range(0, 8, 1, 0), new Range(2, 0, 3, 0)].map((other) => {
        const both = new Range(0, 2, 0, 8).intersection(other);
        return both === undefined ? 'apart' : [both.start.character, both.end.character];
      }),
    expected: [[2, 4], [8, 8], 'apart'],
  },
  {
    name: 'Range.union, Range.with and Range.isEqual',
    run: ({ Position, Range }) => {
      const range = new Range(1, 1, 2, 2);
      return [
        range.union(new Range(0, 0, 1, 5)).isEqual(new Range(0, 0, 2, 2)),
        range.with(undefined, new Position(9, 9)).isEqual(new Range(1, 1, 9, 9)),
        range.with({ start: new Position(0, 0) }).isEqual(new Range(0, 0, 2, 2)),
        range.isEqual(new Range(1, 1, 2, 3)),
      ];
    },
    expected: [true, true, true, false],
  },
  {
    name: 'Selection keeps its direction',
    run: ({ Selection }) => {
      const { anchor, active, start, end, isReversed } = new Selection(4, 2, 1, 3);
      return { anchor: anchor.line, active: active.line, start: start.line, end: end.line, isReversed };
    },
    expected: { anchor: 4, active: 1, start: 1, end: 4, isReversed: true },
  },
  {
    name: 'Location makes an empty range of a single place',
    run: ({ Location, Position, Range, Uri }) => {
      const { range } = new Location(Uri.file('/a'), new Position(1, 2));
      return [range.isEqual(new Range(1, 2, 1, 2)), new Location(Uri.file('/a'), new Range(0, 0, 1, 1)).range.end.line];
    },
    expected: [true, 1],
  },
  {
    name: 'RelativePattern takes an address, a path or a folder of the workspace',
    run: ({ RelativePattern, Uri, workspace }, folder) => {
      const [first] = workspace.workspaceFolders ?? [];
      const patterns = [new RelativePattern(Uri.file('/a'), '*.ts'), new RelativePattern('/b', 'x')];
      const inWorkspace = first && new RelativePattern(first, 'y');
      return [...patterns.map(({ base, pattern }) => [base, pattern]), inWorkspace?.base === folder];
    },
    expected: [['/a', '*.ts'], ['/b', 'x'], true],
  },
  // Events
  {
    name: 'EventEmitter calls listeners in the order of their subscription, each as often as it subscribed',
    run: ({ EventEmitter }) => {
      const heard: string[] = [];
      const emitter = new EventEmitter<number>();
      const first = (value: number): void => void heard.push(`first ${value}`);
      emitter.event(first);
      emitter.event((value) => heard.push(`second ${value}`));
      emitter.event(first);
      emitter.fire(1);
      return heard;
    },
    expected: ['first 1', 'second 1', 'first 1'],
  },
  {
    name: 'EventEmitter does not call a listener that left, nor any after its end',
    run: ({ EventEmitter }) => {
      const heard: string[] = [];
      const emitter = new EventEmitter<number>();
      const first = emitter.event((value) => heard.push(`first ${value}`));
      emitter.event((value) => heard.push(`second ${value}`));
      first.dispose();
      emitter.fire(1);
      emitter.dispose();
      emitter.fire(2);
      return heard;
    },
    expected: ['second 1'],
  },
  {
    name: 'EventEmitter does not call a listener that subscribes while it fires',
    run: ({ EventEmitter }) => {
      const heard: string[] = [];
      const emitter = new EventEmitter<number>();
      emitter.event((value) => {
        heard.push(`first ${value}`);
        emitter.event((later) => heard.push(`later ${later}`));
      });
      emitter.fire(1);
      return heard;
    },
    expected: ['first 1'],
  },
  {
    name: 'EventEmitter does not call a listener that leaves while it fires',
    run: ({ EventEmitter }) => {
      const heard: string[] = [];
      const emitter = new EventEmitter<number>();
      emitter.event(() => second.dispose());
      const second = emitter.event((value) => heard.push(`second ${value}`));
      emitter.event((value) => heard.push(`third ${value}`));
      emitter.fire(1);
      return heard;
    },
    expected: ['third 1'],
  },
  {
    name: 'Disposable disposes once, Disposable.from all of them in order',
    run: ({ Disposable }) => {
      const done: string[] = [];
      const one = new Disposable(() => done.push('one'));
      one.dispose();
      one.dispose();
      Disposable.from({ dispose: () => done.push('two') }, new Disposable(() => done.push('three'))).dispose();
      return done;
    },
    expected: ['one', 'two', 'three'],
  },
  {
    name: 'CancellationTokenSource cancels its token once',
    run: ({ CancellationTokenSource }) => {
      const source = new CancellationTokenSource();
      let calls = 0;
      const { token } = source;
      token.onCancellationRequested(() => (calls += 1));
      const before = token.isCancellationRequested;
      source.cancel();
      source.cancel();
      return [before, token.isCancellationRequested, calls];
    },
    expected: [false, true, 1],
  },
  // Values
  {
    name: 'MarkdownString.appendText escapes',
    run: ({ MarkdownString }) => new MarkdownString('**a** ').appendText('b  *c* [d](e) `f` <g>\n1. h!').value,
    expected:
      String.raw`**a** b&nbsp;&nbsp;\*c\*&nbsp;\[d\]\(e\)&nbsp;\`f\`&nbsp;<g\>` + '\n\n' + String.raw`1.&nbsp;h\!`,
  },
  {
    name: 'TreeItem takes a label or a file',
    run: ({ ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri }) => {
      const [row, file] = [new TreeItem('a', TreeItemCollapsibleState.Expanded), new TreeItem(Uri.file('/a'))];
      return [
        row.label,
        row.collapsibleState,
        row.resourceUri === undefined,
        file.label === undefined,
        file.resourceUri?.path,
        file.collapsibleState,
        ThemeIcon.File.id,
        new ThemeIcon('x', new ThemeColor('y')).color?.id,
      ];
    },
    expected: ['a', 2, true, true, '/a', 0, 'file', 'y'],
  },
  {
    name: 'FileDecoration, Diagnostic and McpHttpServerDefinition keep what they are given',
    run: ({ Diagnostic, FileDecoration, McpHttpServerDefinition, Range, Uri }) => {
      const { badge, tooltip } = new FileDecoration('AI', 'tip');
      const { message, severity, range } = new Diagnostic(new Range(1, 2, 3, 4), 'Bad.');
      const server = new McpHttpServerDefinition('Drawbridge', Uri.parse('http://127.0.0.1:1/mcp'), { a: 'b' }, '1');
      return [
        badge,
        tooltip,
        message,
        severity,
        range.end.line,
        server.label,
        server.uri.path,
        server.headers,
        server.version,
      ];
    },
    expected: ['AI', 'tip', 'Bad.', 0, 3, 'Drawbridge', '/mcp', { a: 'b' }, '1'],
  },
  {
    name: 'FileSystemError has a code and the address as its message',
    run: ({ FileSystemError, Uri }) =>
      [FileSystemError.FileNotFound(Uri.parse('x://h/a%20b')), FileSystemError.NoPermissions('no')].map((error) => [
        error.code,
        error.name,
        error.message,
        error instanceof Error,
      ]),
    expected: [
      ['FileNotFound', 'EntryNotFound (FileSystemError)', 'x://h/a b', true],
      ['NoPermissions', 'NoPermissions (FileSystemError)', 'no', true],
    ],
  },
  {
    name: 'inputs of tabs keep their addresses',
    run: ({ TabInputCustom, TabInputNotebook, TabInputNotebookDiff, TabInputText, TabInputTextDiff, Uri }) => {
      const [a, b] = [Uri.file('/a'), Uri.file('/b')];
      return [
        ...[new TabInputText(a), new TabInputCustom(a, 'x'), new TabInputNotebook(a, 'x')].map(({ uri }) => uri.path),
        ...[new TabInputTextDiff(a, b), new TabInputNotebookDiff(a, b, 'x')].map(({ modified }) => modified.path),
      ];
    },
    expected: ['/a', '/a', '/a', '/b', '/b'],
  },
  {
    name: 'enums have their numbers, and kinds of symbols their names',
    run: (api) => [
      api.ConfigurationTarget.Global,
      [
        api.DiagnosticSeverity.Error,
        api.DiagnosticSeverity.Warning,
        api.DiagnosticSeverity.Information,
        api.DiagnosticSeverity.Hint,
      ],
      [api.DocumentHighlightKind.Text, api.DocumentHighlightKind.Read, api.DocumentHighlightKind.Write],
      [api.EndOfLine.LF, api.EndOfLine.CRLF],
      [api.FileChangeType.Changed, api.FilePermission.Readonly, api.FileType.File, api.FileType.Directory],
      [
        api.LogLevel.Off,
        api.LogLevel.Trace,
        api.LogLevel.Debug,
        api.LogLevel.Info,
        api.LogLevel.Warning,
        api.LogLevel.Error,
      ],
      [api.OverviewRulerLane.Left, api.OverviewRulerLane.Right],
      [api.ProgressLocation.Window, api.ProgressLocation.Notification, api.QuickPickItemKind.Separator],
      [api.StatusBarAlignment.Left, api.StatusBarAlignment.Right],
      [api.SymbolKind[4], api.SymbolKind[11], api.SymbolKind[21], api.SymbolTag.Deprecated],
      [api.TextDocumentChangeReason.Undo, api.TextEditorRevealType.InCenterIfOutsideViewport],
      [api.TextEditorSelectionChangeKind.Keyboard],
      [api.TreeItemCheckboxState.Unchecked, api.TreeItemCheckboxState.Checked],
      [
        api.TreeItemCollapsibleState.None,
        api.TreeItemCollapsibleState.Collapsed,
        api.TreeItemCollapsibleState.Expanded,
      ],
      [api.UIKind.Desktop, api.UIKind.Web],
    ],
    expected: [
      1,
      [0, 1, 2, 3],
      [0, 1, 2],
      [1, 2],
      [1, 1, 1, 2],
      [0, 1, 2, 3, 4, 5],
      [1, 4],
      [10, 15, -1],
      [1, 2],
      ['Class', 'Function', 'EnumMember', 1],
      [1, 2],
      [1],
      [0, 1],
      [0, 1, 2],
      [1, 2],
    ],
  },
  {
    name: 'l10n.t fills in values by number and by name',
    run: ({ l10n: { t } }) => [
      t('{0} of {1}, {0}', 'a', 2),
      t('no {0}'),
      t({ message: '{name} is {what}', args: { name: 'x', what: 'y' }, comment: [] }),
    ],
    expected: ['a of 2, a', 'no {0}', 'x is y'],
  },
  // Documents
  {
    name: 'a document of CRLF tells its lines, end and language',
    run: async ({ Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/crlf.txt`));
      const { eol, lineCount, languageId, isDirty, isUntitled, isClosed, version, encoding } = document;
      return { eol, lineCount, languageId, isDirty, isUntitled, isClosed, version, encoding };
    },
    expected: {
      eol: 2,
      lineCount: 4,
      languageId: 'plaintext',
      isDirty: false,
      isUntitled: false,
      isClosed: false,
      version: 1,
      encoding: 'utf8',
    },
  },
  {
    name: 'a document of CRLF turns offsets into places, those within a line end into the end of the line',
    run: async ({ Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/crlf.txt`));
      return [-1, 0, 3, 4, 5, 10, 11, 12, 13, 14, 18, 99].map((offset) => {
        const { line, character } = document.positionAt(offset);
        return `${line}:${character}`;
      });
    },
    expected: ['0:0', '0:0', '0:3', '0:3', '1:0', '1:5', '1:5', '2:0', '2:0', '3:0', '3:4', '3:4'],
  },
  {
    name: 'a document of CRLF turns places into offsets, those outside into the nearest one',
    run: async ({ Position, Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/crlf.txt`));
      return [
        [0, 0],
        [0, 99],
        [1, 2],
        [2, 5],
        [3, 1],
        [9, 9],
      ].map(([line = 0, character = 0]) => document.offsetAt(new Position(line, character)));
    },
    expected: [0, 3, 7, 12, 15, 18],
  },
  {
    name: 'a line knows its text, ranges and indentation',
    run: async ({ Position, Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/crlf.txt`));
      return [document.lineAt(1), document.lineAt(2), document.lineAt(new Position(3, 2))].map((line) => [
        line.lineNumber,
        line.text,
        line.range.end.character,
        line.rangeIncludingLineBreak.end.line,
        line.firstNonWhitespaceCharacterIndex,
        line.isEmptyOrWhitespace,
      ]);
    },
    expected: [
      [1, '  two', 5, 2, 2, false],
      [2, '', 0, 3, 0, true],
      [3, 'four', 4, 3, 0, false],
    ],
  },
  {
    name: 'a line that is not there is an error',
    run: async ({ Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/crlf.txt`));
      try {
        return document.lineAt(4).text;
      } catch (error) {
        return error instanceof Error && error.message;
      }
    },
    expected: 'Illegal value for `line`',
  },
  {
    name: 'the text of a range is cut to the document',
    run: async ({ Range, Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/crlf.txt`));
      const { end } = document.validateRange(new Range(3, 0, 9, 9));
      return [
        document.getText(new Range(0, 1, 1, 3)),
        document.getText(new Range(3, 1, 9, 9)),
        end.line,
        end.character,
      ];
    },
    expected: ['ne\r\n  t', 'our', 3, 4],
  },
  {
    name: 'a document has one line end where its file has several',
    run: async ({ Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/mixed.txt`));
      return [document.getText(), document.eol, document.isDirty];
    },
    expected: ['one\r\ntwo\r\nthree\r\n', 2, false],
  },
  {
    name: 'a document of LF has an empty last line after the last line end',
    run: async ({ Uri, workspace }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/lf.txt`));
      return [
        document.eol,
        document.lineCount,
        document.lineAt(2).text,
        document.offsetAt(document.lineAt(2).range.end),
      ];
    },
    expected: [1, 3, '', 8],
  },
  {
    name: 'a document that was opened is one of those that are open, and the same when it is opened again',
    run: async ({ Uri, workspace }, folder) => {
      const uri = Uri.file(`${folder}/lf.txt`);
      const document = await workspace.openTextDocument(uri);
      const isAmongThem = workspace.textDocuments.includes(document);
      return [isAmongThem, document === (await workspace.openTextDocument(uri)), document.fileName === uri.fsPath];
    },
    expected: [true, true, true],
  },
  {
    name: 'a document of a content provider has its text',
    run: async ({ Uri, workspace }) => {
      const provider = workspace.registerTextDocumentContentProvider('contract', {
        provideTextDocumentContent: ({ path }) => `text of ${path}`,
      });
      const document = await workspace.openTextDocument(Uri.parse('contract:/a.txt'));
      provider.dispose();
      return [document.getText(), document.isDirty, document.isUntitled];
    },
    expected: ['text of /a.txt', false, false],
  },
  {
    name: 'an address without a document is refused',
    run: ({ Uri, workspace }) =>
      workspace.openTextDocument(Uri.parse('nobody:/a.txt')).then(
        () => 'opened',
        () => 'refused',
      ),
    expected: 'refused',
  },
  // Edits
  {
    name: 'WorkspaceEdit groups edits of texts by file',
    run: ({ Position, Range, Uri, WorkspaceEdit }) => {
      const edit = new WorkspaceEdit();
      edit.replace(Uri.file('/a'), new Range(0, 0, 0, 1), 'x');
      edit.insert(Uri.file('/b'), new Position(1, 1), 'y');
      edit.delete(Uri.file('/a'), new Range(2, 0, 3, 0));
      edit.renameFile(Uri.file('/c'), Uri.file('/d'));
      return [
        edit.size,
        edit.has(Uri.file('/a')),
        edit.has(Uri.file('/c')),
        edit.get(Uri.file('/b')).map(({ range, newText }) => [range.isEmpty, newText]),
        edit.entries().map(([uri, edits]) => [uri.path, edits.map(({ newText }) => newText)]),
      ];
    },
    expected: [
      2,
      true,
      false,
      [[true, 'y']],
      [
        ['/a', ['x', '']],
        ['/b', ['y']],
      ],
    ],
  },
  {
    name: 'applyEdit makes all edits of a document at once, with ranges of the text before',
    run: async ({ Position, Range, Uri, workspace, WorkspaceEdit }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/applied.txt`));
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(0, 0, 0, 3), 'first\nline');
      edit.delete(document.uri, new Range(1, 0, 2, 0));
      edit.insert(document.uri, new Position(2, 5), '!');
      const before = document.version;
      const isApplied = await workspace.applyEdit(edit);
      return [isApplied, document.getText(), document.version - before, document.isDirty];
    },
    expected: [true, 'first\nline\nthree!\n', 1, true],
  },
  {
    name: 'a change of a document is told with its ranges from the last one to the first',
    run: async ({ Range, Uri, workspace, WorkspaceEdit }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/events.txt`));
      const heard: unknown[] = [];
      const listener = workspace.onDidChangeTextDocument(({ document: changed, contentChanges, reason }) => {
        if (changed !== document || contentChanges.length === 0) return;
        heard.push(reason === undefined);
        for (const each of contentChanges)
          heard.push([each.rangeOffset, each.rangeLength, each.text, each.range.start.line]);
      });
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(0, 0, 0, 3), 'ONE');
      edit.replace(document.uri, new Range(1, 0, 1, 3), '2');
      await workspace.applyEdit(edit);
      listener.dispose();
      return heard;
    },
    expected: [true, [4, 3, '2', 1], [0, 3, 'ONE', 0]],
  },
  {
    name: 'saving makes a document clean and tells it',
    run: async ({ Position, Uri, workspace, WorkspaceEdit }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/saved.txt`));
      const edit = new WorkspaceEdit();
      edit.insert(document.uri, new Position(0, 0), 'more ');
      await workspace.applyEdit(edit);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const listener = workspace.onDidSaveTextDocument((saved) => saved === document && resolve(saved.isDirty));
      const before = document.isDirty;
      const isSaved = await document.save();
      const wasDirty = await promise;
      listener.dispose();
      return [before, isSaved, wasDirty, document.isDirty, document.getText()];
    },
    expected: [true, true, false, false, 'more one\n'],
  },
  {
    name: 'a rename closes the document of the old name and opens one of the new name',
    run: async ({ Uri, workspace, WorkspaceEdit }, folder) => {
      const document = await workspace.openTextDocument(Uri.file(`${folder}/from.txt`));
      const { promise, resolve } = Promise.withResolvers<vscode.TextDocument>();
      const listener = workspace.onDidCloseTextDocument(resolve);
      const edit = new WorkspaceEdit();
      edit.renameFile(document.uri, Uri.file(`${folder}/to.txt`));
      const isRenamed = await workspace.applyEdit(edit);
      const closed = await promise;
      listener.dispose();
      return [isRenamed, closed === document, document.isClosed];
    },
    expected: [true, true, true],
  },
  // The workspace and the window
  {
    name: 'workspace.asRelativePath leaves the only folder out, and paths outside as they are',
    run: ({ Uri, workspace }, folder) => [
      workspace.asRelativePath(Uri.file(`${folder}/src/a.ts`)),
      workspace.asRelativePath(Uri.file('/elsewhere/a.ts')),
    ],
    expected: ['src/a.ts', '/elsewhere/a.ts'],
  },
  {
    name: 'workspace.encode and workspace.decode know Latin-1',
    run: async ({ workspace }) => {
      const bytes = await workspace.encode('café', { encoding: 'iso88591' });
      return [[...bytes], await workspace.decode(bytes, { encoding: 'iso88591' })];
    },
    expected: [[99, 97, 102, 233], 'café'],
  },
  {
    name: 'workspace.fs reads what it wrote, and tells files from folders',
    run: async ({ FileType, Uri, workspace: { fs } }, folder) => {
      const uri = Uri.file(`${folder}/written/a.txt`);
      await fs.writeFile(uri, new TextEncoder().encode('text'));
      const [file, parent] = [await fs.stat(uri), await fs.stat(Uri.joinPath(uri, '..'))];
      const text = new TextDecoder().decode(await fs.readFile(uri));
      return [text, file.type === FileType.File, file.size, parent.type === FileType.Directory];
    },
    expected: ['text', true, 4, true],
  },
  {
    name: 'workspace.fs says that a file is not there',
    run: ({ FileSystemError, Uri, workspace: { fs } }, folder) => {
      const codeOf = (error: unknown): unknown => error instanceof FileSystemError && error.code;
      const uri = Uri.file(`${folder}/missing.txt`);
      return Promise.all([fs.stat(uri).then(() => 'there', codeOf), fs.readFile(uri).then(() => 'there', codeOf)]);
    },
    expected: ['FileNotFound', 'FileNotFound'],
  },
  {
    name: 'a setting has its value after it was written for the user',
    run: async ({ ConfigurationTarget, workspace }) => {
      const name = 'search.maxResults';
      await workspace.getConfiguration('drawbridge').update(name, 7, ConfigurationTarget.Global);
      const settings = workspace.getConfiguration('drawbridge');
      const { key, globalValue, workspaceValue } = settings.inspect<number>(name) ?? {};
      const isUnset = workspaceValue === undefined;
      return [
        settings.get(name),
        settings.has(name),
        key,
        globalValue,
        isUnset,
        workspace.getConfiguration().get(`drawbridge.${name}`),
      ];
    },
    expected: [7, true, 'drawbridge.search.maxResults', 7, true, 7],
  },
  {
    name: 'a setting that nobody knows has the fallback',
    run: ({ workspace }) => {
      const settings = workspace.getConfiguration('drawbridge');
      return [settings.get('noSuch') === undefined, settings.get('noSuch', 5), settings.has('noSuch')];
    },
    expected: [true, 5, false],
  },
  {
    name: 'a watcher hears of everything',
    run: ({ RelativePattern, workspace }, folder) => {
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, 'x'));
      watcher.dispose();
      return [watcher.ignoreChangeEvents, watcher.ignoreCreateEvents, watcher.ignoreDeleteEvents];
    },
    expected: [false, false, false],
  },
  {
    name: 'a row of the status bar has what it was made with',
    run: ({ StatusBarAlignment, window }) => {
      const item = window.createStatusBarItem('contract', StatusBarAlignment.Right, 90);
      item.dispose();
      return [item.alignment, item.priority, item.text, item.command === undefined, item.backgroundColor === undefined];
    },
    expected: [2, 90, '', true, true],
  },
  {
    name: 'a progress gives the result of its task, which is not cancelled',
    run: ({ ProgressLocation, window }) =>
      window.withProgress({ location: ProgressLocation.Notification, title: 'Contract' }, async (progress, token) => {
        progress.report({ message: 'half' });
        return token.isCancellationRequested;
      }),
    expected: false,
  },
  {
    name: 'a window has one active group of tabs',
    run: ({ window: { tabGroups } }) => [tabGroups.activeTabGroup.isActive, tabGroups.activeTabGroup.viewColumn],
    expected: [true, 1],
  },
  // Commands and extensions
  {
    name: 'a command that nobody knows is refused by its name',
    run: ({ commands }) =>
      commands.executeCommand('contract.nobody').then(
        () => 'ran',
        (error: unknown) => error instanceof Error && error.message,
      ),
    expected: "command 'contract.nobody' not found",
  },
  {
    name: 'an extension that is not there is undefined',
    run: ({ extensions }) => [extensions.getExtension('contract.nobody') === undefined, Array.isArray(extensions.all)],
    expected: [true, true],
  },
];
