import { ToolError } from '#base/toolError.ts';
import { definePrompt } from '#call/prompt.ts';
import { selectedText } from '../editor/selectedText.ts';
import { embedFile, textMessage } from './embeddedFile.ts';

/** The `review_selection` prompt: the selection of the user with its file. */
export const reviewSelection = definePrompt({
  name: 'review_selection',
  title: 'Review the selection',
  description: 'Review the code that is selected in the editor, with its file around it.',
  arguments: [],
  judgedAs: 'get_editor_state',
  needs: ['editors', 'files'],
  targets: () => [],
  async messages(_given, context) {
    const selected = await selectedText(context);
    if (selected === undefined || selected.isEmpty) {
      throw new ToolError(
        'no_match',
        'Nothing is selected in the editor.',
        'Ask the user to select the code to review; then use the prompt again.',
      );
    }
    const { file, firstLine, lastLine, text } = selected;
    const { message, summary } = await embedFile(file, firstLine, context);
    return [
      textMessage(
        `Review the selected code, lines ${firstLine}-${lastLine} of ${file.path}. Its file follows for context (${summary}).`,
        '',
        text,
        '',
        'Look for what is wrong first: errors, cases that are not handled, unsafe input, lost data, races. Then for what is hard to read or needlessly complicated. Leave out what is a matter of taste.',
        'Read what the code calls, and who calls it, with search_code and read_file before you judge.',
        'Report each finding with its line, why it matters and how to fix it, worst first; say so if there is none. Change nothing yet.',
      ),
      message,
    ];
  },
});
