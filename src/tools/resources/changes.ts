import { defineResource } from '#call/resource.ts';
import { printable } from '#call/sanitise.ts';
import { listChanges } from '../edit/listChanges.ts';
import { counted } from '../page.ts';

const uri = 'drawbridge://changes';
/** The tool has pages; an address has none. */
const maximumChanges = 200;

/** What list_changes says. */
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
