/** Edits that the real GitHub Copilot CLI makes with its own tools, decided in the Approvals view of a real window. */
import { join } from 'node:path';
import { copilotCli } from '#connect/assistants/copilotCli.ts';
import { copilotPackage, runCopilot } from './copilotRun.ts';
import { forty, type GuardedAssistant, rewriteCases, setUpGuard } from './guardCases.ts';
import { toldOf } from './scriptedModel.ts';

const edit = (path: string, before: string, after: string) => ({
  tool: 'edit',
  input: { path, old_str: before, new_str: after },
});

/** `asks`: Copilot itself asks about each edit, and nobody could answer. The window makes the edit all the same. */
type CopilotMode = 'asks' | 'asks nothing';

export const guardedCopilot: GuardedAssistant<CopilotMode> = {
  name: 'GitHub Copilot CLI',
  id: copilotCli.id,
  cases: rewriteCases(edit, ['asks'], {
    whole: /Denied by preToolUse hook: The user applied this edit in VS Code/,
    part: /The user applied this edit in VS Code.*It differs from your edit as follows/,
    declined: /Denied by preToolUse hook: The user declined this edit/,
    two: /The user applied this edit.*The user applied this edit/,
    noFinalLineEnd: /The user applied this edit in VS Code/,
  }),
  oneEdit: { turns: (path) => [[edit(path, forty(), forty([3, 'LINE 3']))], 'Done.'], mode: 'asks' },
  commands: {
    call: (command) => ({ tool: 'bash', input: { command, description: 'Runs a command' } }),
    mode: 'asks nothing',
  },
  connect: (setting) => setUpGuard(copilotCli, setting),
  async start(script, mode, { run, userHome, folder, programs }) {
    const task = {
      program: join(programs, copilotPackage.program),
      home: userHome,
      folder,
      script,
      allowsAll: mode === 'asks nothing',
      seconds: 150,
    };
    const { output, errors, requests } = await runCopilot(task, run);
    const last = requests.at(-1);
    return { output: `${output}${errors}`, told: last === undefined ? '' : toldOf(last) };
  },
};
