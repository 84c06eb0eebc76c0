import * as z from 'zod';
import { parseJson, type RealClient } from './realClients.ts';

/** What it prints, on one line: the answer, and with `--strict` what it finds wrong with the schemas of tools. */
const said = z.object({
  result: z.object({ isError: z.boolean().optional() }),
  schemaFindings: z.array(z.unknown()).optional(),
});

/** What it asks for; `who.txt` is the file of the folder that `run.ts` opens. */
const requests: readonly (readonly string[])[] = [
  ['tools/list', '--strict'],
  ['tools/call', '--tool-name', 'read_file', '--tool-arg', 'path=who.txt'],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', '--uri', 'drawbridge://workspace'],
  ['prompts/list'],
  ['prompts/get', '--prompt-name', 'make_change', '--prompt-args', 'goal=Say who'],
];

/** One run of the Inspector for each request and era; any complaint of it is a failure. */
export function inspectorRuns(inspector: RealClient): readonly RealClient[] {
  return (['legacy', 'modern'] as const).flatMap((era) =>
    requests.map(([method = '', ...more]) => ({
      ...inspector,
      name: `${inspector.name}, ${era}, ${method}`,
      args: (file: string) => [
        '--cli',
        '--config',
        file,
        '--server',
        'drawbridge',
        '--protocol-era',
        era,
        '--format',
        'json',
        '--method',
        method,
        ...more,
      ],
      sees: seesNoFault,
    })),
  );
}

function seesNoFault(output: string): string | undefined {
  for (const line of output.split('\n')) {
    const parsed = said.safeParse(parseJson(line));
    if (!parsed.success) continue;
    const { result, schemaFindings } = parsed.data;
    return schemaFindings === undefined && result.isError !== true ? 'no complaint' : undefined;
  }
  return undefined;
}
