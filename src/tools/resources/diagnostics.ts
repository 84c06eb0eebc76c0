import { defineResource } from '#call/resource.ts';
import { printable } from '#call/sanitise.ts';
import { diagnosticText, maximumDiagnostics } from '../language/diagnosticText.ts';

const uri = 'drawbridge://diagnostics';

/** The `drawbridge://diagnostics` resource: the problems list of the editor. */
export const diagnosticsResource = defineResource({
  address: { uri },
  name: 'diagnostics',
  title: 'Problems',
  description: `The problems list of the editor by file, errors first; at most ${maximumDiagnostics}.`,
  mimeType: 'text/plain',
  judgedAs: 'get_diagnostics',
  worksUntrusted: true,
  needs: ['diagnostics'],
  match: (asked) => (asked === uri ? {} : undefined),
  targets: () => [],
  read: async (_variables, { diagnostics }) => ({
    mimeType: 'text/plain',
    text: printable(diagnosticText(await diagnostics.listShown())),
  }),
  watch: ({ diagnostics }, _targets, changed) => diagnostics.onDidChange(changed),
});
