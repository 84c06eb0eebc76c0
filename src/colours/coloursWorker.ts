/** The program of the thread that colours code: a grammar that makes it slow cannot stop the extension host. */
import { parentPort, workerData } from 'node:worker_threads';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar, type StateStack } from 'vscode-textmate';
import { readPacked } from '#syntax/packedFile.ts';
import {
  type ColourAnswer,
  type ColourRequest,
  type ColourStart,
  engineFile,
  type LineColours,
} from './colourMessages.ts';
import { customRules, readContributed, themeRules, type TokenRule } from './theme.ts';

const { folder, grammars, theme, customizations, limits }: ColourStart = workerData;

/** The bits of a token that hold its style and its colour, in the format of vscode-textmate. */
const [styleOffset, styleMask, colourOffset, colourMask] = [11, 0b1111, 15, 0x1ff];
/** The colour of text to which no rule gives another. */
const plainColour = 1;
/**
 * The colour of plain text in a theme that names none. No theme uses it, so that a rule with the library's own choice, black, is not
 * taken for plain text.
 */
const unnamed = { settings: { foreground: '#010203' } };
/** A longer line stays plain, as it does in the editor. */
const longestLine = 20_000;

async function start(): Promise<void> {
  const rules = [unnamed, ...themeRules(theme.path), ...customRules(customizations, theme.id)];
  await oniguruma.loadWASM(readPacked(folder, engineFile));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve(oniguruma),
    theme: {
      settings: rules.map(({ scope, settings: { foreground, fontStyle } }: TokenRule) => ({
        ...(scope !== undefined && { scope }),
        settings: { ...(foreground !== undefined && { foreground }), ...(fontStyle !== undefined && { fontStyle }) },
      })),
    },
    loadGrammar: (scopeName) => {
      const path = grammars.find((grammar) => grammar.scopeName === scopeName)?.path;
      // Without a path the library takes JSON for a property list.
      return Promise.resolve(path === undefined ? undefined : textmate.parseRawGrammar(readContributed(path), path));
    },
    getInjections: (scopeName) =>
      grammars.filter(({ injectTo }) => injectTo.includes(scopeName)).map((grammar) => grammar.scopeName),
  });
  const answer = async ({ scopeName, lines }: ColourRequest): Promise<ColourAnswer> => {
    const grammar = await registry.loadGrammar(scopeName);
    return { lines: grammar ? coloursOf(grammar, lines) : [], palette: registry.getColorMap() };
  };
  parentPort?.on('message', (request: ColourRequest) => {
    // A failure ends the thread, and the extension host starts another.
    void answer(request).then((answered) => parentPort?.postMessage(answered, []));
  });
  parentPort?.postMessage('ready', []);
}

function coloursOf(grammar: IGrammar, lines: readonly string[]): LineColours[] {
  const deadline = performance.now() + limits.text;
  const coloured: LineColours[] = [];
  let state: StateStack = textmate.INITIAL;
  for (const line of lines) {
    if (performance.now() > deadline) break;
    if (line.length > longestLine) {
      coloured.push([]);
      continue;
    }
    // The first line may take long only because it compiles the patterns, which are ready when it is tried again.
    const tried = grammar.tokenizeLine2(line, state, limits.line);
    const { tokens, ruleStack, stoppedEarly } = tried.stoppedEarly
      ? grammar.tokenizeLine2(line, state, limits.line)
      : tried;
    coloured.push(stoppedEarly ? [] : runsOf(tokens, line.length));
    state = ruleStack;
  }
  return coloured;
}

/** @param tokens pairs of the start of a token and its bits */
function runsOf(tokens: Uint32Array, length: number): LineColours {
  const runs: number[] = [];
  for (let index = 0; index < tokens.length; index += 2) {
    const bits = tokens[index + 1] ?? 0;
    const end = Math.min(tokens[index + 2] ?? length, length);
    const colour = (bits >>> colourOffset) & colourMask;
    const style = ((colour === plainColour ? 0 : colour) << 4) | ((bits >>> styleOffset) & styleMask);
    if (runs.at(-1) === style) runs[runs.length - 2] = end;
    else runs.push(end, style);
  }
  return runs;
}

void start();
