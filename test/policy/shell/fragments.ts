/** Pieces of bash that parsers disagree about, each between two broken bars. */
export const fragments: readonly string[] = [
  ' ¦ ¦ ¦\t¦\n¦\\\n¦\\¦\'¦"¦\'a b\'¦"a b"¦"$"¦\'\'¦"\\""¦"a\nb"¦\'\n\'¦ls¦cat¦rm¦x¦a¦b¦-l¦--¦-¦env ¦timeout 5 ',
  'nice ¦command ¦xargs ¦echo ¦cd ¦test ¦;¦&&¦||¦|¦|&¦&¦(¦)¦{ ¦ }¦; }¦!¦! ¦;;¦((¦))¦@(¦!(¦if ¦; then ¦else ¦; fi¦while ',
  'until ¦; do ¦; done¦time ¦case ¦ in ¦esac¦for ¦coproc ¦function ¦>¦<¦>>¦<<¦2>¦>&2¦2>&1¦ >/dev/null¦ 2>/dev/null ¦&>/dev/null ',
  '1>&2x¦EOF¦\nEOF\n¦$¦`¦$(¦${x}¦*¦?¦[¦]¦[[ ¦ ]]¦{a,b}¦{¦}¦~¦=¦#¦ #¦^¦%¦\r¦\u00a0¦é¦A=1 ¦LC_ALL=C ¦1¦2¦\\;¦\\"¦\\\'¦\\ ',
].flatMap((line) => line.split('¦'));
