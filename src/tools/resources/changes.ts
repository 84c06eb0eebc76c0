import { defineResource } from '#call/resource.ts';
import { printable } from '#call/sanitise.ts';
import { listChanges } from '../edit/listChanges.ts';
import { counted } from '../page.ts';

const uri = 'drawbridge://changes';
/** The most changes of the resource, which has no pages, unlike the tool. */
const maximumChanges = 200;

/** The `drawbridge://changes` resource: the text of list_changes. */
export const changesResource = defineResource({
  address: { uri },
  name: 'changes',
  title: 'Changes by assistants',
  description: 'What assistants changed in this window, newest first, with the approvalId that revert_change takes.',
  mimeType: 'text/plain',
  judgedAs: listChanges.name,
  needs: listChanges.needs,
  match: (asked) => (asked === uri ? {} : undefined),
  targets: () => [],
  async read(_variables, context, signal) {
    const limits = { ...context.limits, listBytes: undefined };
    const input = { onlyMine: false, maxResults: maximumChanges };
    const { nextCursor: _cursor, ...data } = await listChanges.run(input, { ...context, limits }, signal);
    const older = data.totalCount - data.changes.length;
    const { text } = listChanges.render(data);
    const note = older > 0 ? `\n(and ${counted(older, 'older change')}; list_changes has pages)` : '';
    return { mimeType: 'text/plain', text: printable(text) + note };
  },
  watch: ({ onDidChangeChanges }, _targets, changed) => onDidChangeChanges(changed),
});
