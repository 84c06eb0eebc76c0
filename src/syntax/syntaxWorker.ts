/** The program of the thread that parses: a text that makes the parser slow or ends it cannot stop the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import treeSitter from '@vscode/tree-sitter-wasm';
import { readPacked } from './packedFile.ts';
import type { CheckedLanguage, NamedLanguage } from '#base/syntaxTree.ts';
import { grammars, runtimeFile, tagFiles } from './grammars.ts';
import type { ParseRequest, WorkerMessage, WorkerStart } from './parseMessages.ts';
import { declarationsOf, usesOf } from './names.ts';
import { errorLines, plainTree } from './plainTree.ts';

const { folder, tags, bounds }: WorkerStart = workerData;
const { Parser, Language, Query } = treeSitter;
const parsers = new Map<CheckedLanguage, InstanceType<typeof Parser>>();
const queries = new Map<NamedLanguage, InstanceType<typeof Query>>();

async function parserOf(language: CheckedLanguage): Promise<InstanceType<typeof Parser>> {
  const known = parsers.get(language);
  if (known) return known;
  const parser = new Parser().setLanguage(await Language.load(readPacked(folder, grammars[language])));
  parsers.set(language, parser);
  return parser;
}

function queryOf(language: NamedLanguage, grammar: InstanceType<typeof Language>): InstanceType<typeof Query> {
  const known = queries.get(language);
  if (known) return known;
  const query = new Query(grammar, readPacked(tags, tagFiles[language]).toString('utf8'));
  queries.set(language, query);
  return query;
}

async function answer(request: ParseRequest): Promise<WorkerMessage> {
  const parser = await parserOf(request.language);
  const tree = parser.parse(request.text);
  try {
    if (request.kind === 'errors') return { kind: 'errors', lines: tree ? errorLines(tree.walk()) : [] };
    if (request.kind === 'declarations') {
      const matches = tree ? queryOf(request.language, tree.language).matches(tree.rootNode) : [];
      return { kind: 'declarations', symbols: declarationsOf(matches, request.text) };
    }
    if (request.kind === 'uses') {
      return { kind: 'uses', places: tree ? usesOf(tree.rootNode, request.text, request.name) : [] };
    }
    const root = tree && plainTree(tree.walk(), bounds);
    return { kind: 'tree', tree: root ? { language: request.language, root } : undefined };
  } finally {
    tree?.delete();
    parser.reset();
  }
}

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message, []);
}

async function start(): Promise<void> {
  const initialisation = { locateFile: (file: string) => file, wasmBinary: readPacked(folder, runtimeFile) };
  await Parser.init(initialisation);
  parentPort?.on('message', (request: ParseRequest) => {
    // A failure ends the thread, and the parser in the extension host starts another.
    void answer(request).then(send);
  });
  send({ kind: 'ready' });
}

void start();
