/** Edits that the real Gemini CLI makes with its own tools, decided in the Approvals view of a real window. */
import { join } from 'node:path';
import { gemini } from '#connect/assistants/gemini.ts';
import { geminiPackage, type GeminiTask, runGemini, writeGeminiSettings } from './geminiRun.ts';
import { forty, type GuardedAssistant, rewriteCases, setUpGuard } from './guardCases.ts';
import { toldOfGemini } from './scriptedGemini.ts';

const edit = (path: string, before: string, after: string) => ({
  tool: 'replace',
  input: { file_path: path, old_string: before, new_string: after, instruction: 'Change it.' },
});

export const guardedGemini: GuardedAssistant<GeminiTask['approvalMode']> = {
  name: 'Gemini CLI',
  id: gemini.id,
  cases: rewriteCases(edit, ['auto_edit'], {
    whole: /Successfully modified file.*modified by a hook/,
    part: /<hook_context>The user changed this edit in VS Code before it was made.*-LINE 36/,
    declined: /Tool execution blocked: The user declined this edit/,
    two: /Successfully modified file.*Successfully modified file/,
    // Gemini CLI would end the last line in another way.
    noFinalLineEnd: /Tool execution blocked: The user applied this edit in VS Code/,
  }),
  oneEdit: { turns: (path) => [[edit(path, forty(), forty([3, 'LINE 3']))], 'Done.'], mode: 'auto_edit' },
  commands: { call: (command) => ({ tool: 'run_shell_command', input: { command } }), mode: 'yolo' },
  async connect(setting) {
    writeGeminiSettings(setting.userHome, {});
    await setUpGuard(gemini, setting);
  },
  async start(script, approvalMode, { run, userHome, folder, programs }) {
    const { output, errors, requests } = await runGemini(
      {
        program: join(programs, geminiPackage.program),
        home: userHome,
        folder,
        script,
        approvalMode,
        seconds: 150,
      },
      run,
    );
    const last = requests.at(-1);
    return { output: `${output}${errors}`, told: last === undefined ? '' : JSON.stringify(toldOfGemini(last)) };
  },
};
