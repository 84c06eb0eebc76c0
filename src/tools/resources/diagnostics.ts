import { defineResource } from '#call/resource.ts';
import { printable } from '#call/sanitise.ts';
import { checkedCounts, checkedText } from '../language/checkedFiles.ts';
import { diagnosticText, maximumDiagnostics } from '../language/diagnosticText.ts';
import { examinedFiles } from '../language/examinedFiles.ts';
import { counted } from '../page.ts';

const uri = 'drawbridge://diagnostics';

/** The time for language services in milliseconds; the rest of the time limit of a read is for the text. */
const patience = 6000;

/** The `drawbridge://diagnostics` resource: the problems of the workspace, as get_diagnostics finds them. */
export const diagnosticsResource = defineResource({
  address: { uri },
  name: 'diagnostics',
  title: 'Problems',
  description: `The problems of the workspace by file, errors first; at most ${maximumDiagnostics}.`,
  mimeType: 'text/plain',
  judgedAs: 'get_diagnostics',
  worksUntrusted: true,
  needs: ['changes', 'diagnostics', 'search', 'workspace'],
  match: (asked) => (asked === uri ? {} : undefined),
  targets: () => [],
  async read(_variables, context, signal) {
    const { files, notExamined } = await examinedFiles({ changedOnly: false }, context, signal, patience);
    const found = files.flatMap(({ diagnostics }) => diagnostics);
    const counting = (wanted: string): number => found.filter(({ severity }) => severity === wanted).length;
    const counts = { errorCount: counting('error'), warningCount: counting('warning'), totalCount: found.length };
    const withProblems = files.filter(({ diagnostics }) => diagnostics.length > 0);
    const text = [
      checkedText({ ...counts, ...checkedCounts(files) }),
      ...(notExamined > 0
        ? [`(${counted(notExamined, 'more file')} not examined; get_diagnostics takes their names)`]
        : []),
      ...(withProblems.length > 0 ? [diagnosticText(withProblems)] : []),
    ];
    return { mimeType: 'text/plain', text: printable(text.join('\n')) };
  },
  watch: ({ diagnostics }, _targets, changed) => diagnostics.onDidChange(changed),
});
