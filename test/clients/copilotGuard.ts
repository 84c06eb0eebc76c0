/** Edits that the real GitHub Copilot CLI makes with its own tools, decided in the Approvals view of a real window. */
import { join } from 'node:path';
import { copilotCli, copilotHookFile } from '#connect/assistants/copilotCli.ts';
import { commandLine, launcherCommand } from '#connect/launcherCommand.ts';
import { copilotPackage, runCopilot } from './copilotRun.ts';
import { type GuardedAssistant, rewriteCases } from './guardCases.ts';
import { toldOf } from './scriptedModel.ts';

const edit = (path: string, before: string, after: string) => ({
  tool: 'edit',
  input: { path, old_str: before, new_str: after },
});

export const guardedCopilot: GuardedAssistant = {
  name: 'GitHub Copilot CLI',
  id: copilotCli.id,
  cases: rewriteCases(edit, ['asks'], {
    whole: /Denied by preToolUse hook: The user applied this edit in VS Code/,
    part: /The user applied this edit in VS Code.*It differs from your edit as follows/,
    declined: /Denied by preToolUse hook: The user declined this edit/,
    two: /The user applied this edit.*The user applied this edit/,
    noFinalLineEnd: /The user applied this edit in VS Code/,
  }),
  connect: async () => undefined,
  async start(script, _mode, { machine, run, userHome, folder, programs }) {
    const hookFile = copilotHookFile(commandLine(launcherCommand(machine), machine.platform), machine.platform);
    const task = {
      program: join(programs, copilotPackage.program),
      home: userHome,
      folder,
      script,
      hookFile: typeof hookFile === 'object' && hookFile !== null ? hookFile : {},
      // Every edit is made although Copilot asks about it in this mode, where nobody could answer.
      allowsAll: false,
      seconds: 150,
    };
    const { output, errors, requests } = await runCopilot(task, run);
    const last = requests.at(-1);
    return { output: `${output}${errors}`, told: last === undefined ? '' : toldOf(last) };
  },
};
