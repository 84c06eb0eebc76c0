import { defineResource } from '#call/resource.ts';
import { selectedText } from '../editor/selectedText.ts';

const uri = 'drawbridge://selection';

/** The `drawbridge://selection` resource: the selection of the active editor. */
export const selectionResource = defineResource({
  address: { uri },
  name: 'selection',
  title: 'Selection',
  description: 'The text that is selected in the active editor with its file and lines, or the line the cursor is on.',
  mimeType: 'text/plain',
  judgedAs: 'get_editor_state',
  worksUntrusted: true,
  needs: ['editors', 'files'],
  match: (asked) => (asked === uri ? {} : undefined),
  targets: () => [],
  async read(_variables, context) {
    const selected = await selectedText(context);
    return { mimeType: 'text/plain', text: selected?.text ?? 'No file of the workspace is active in the editor.' };
  },
  watch: ({ editors }, _targets, changed) => editors.onDidChangeSelection(changed),
});
