import { defineResource } from '#call/resource.ts';
import { printable } from '#call/sanitise.ts';
import { getWorkspace } from '../workspace/getWorkspace.ts';

const uri = 'drawbridge://workspace';

/** The `drawbridge://workspace` resource: the text of get_workspace. */
export const workspaceResource = defineResource({
  address: { uri },
  name: 'workspace',
  title: 'Workspace',
  description: 'Which folders are open, whether the user trusts them, and whether files can be changed.',
  mimeType: 'text/plain',
  judgedAs: getWorkspace.name,
  worksWithoutFolder: true,
  worksUntrusted: true,
  needs: getWorkspace.needs,
  match: (asked) => (asked === uri ? {} : undefined),
  targets: () => [],
  async read(_variables, context, signal) {
    const data = await getWorkspace.run({}, context, signal);
    return { mimeType: 'text/plain', text: printable(getWorkspace.render(data).text) };
  },
  watch({ workspace, onDidChangeMode }, _targets, changed) {
    const subscriptions = [workspace.onDidChange(changed), onDidChangeMode(changed)];
    return {
      dispose() {
        for (const subscription of subscriptions) subscription.dispose();
      },
    };
  },
});
