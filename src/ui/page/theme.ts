import type { PageTheme } from './fromPage.ts';
import type { PaletteMessage } from './messages.ts';

/** Returns the theme that the editor gave to the page. */
export function themeNow(): PageTheme {
  const { classList, dataset } = document.body;
  const style = getComputedStyle(document.documentElement);
  const of = (...names: readonly string[]): string =>
    names.map((name) => style.getPropertyValue(`--vscode-${name}`).trim()).find((value) => value !== '') ?? '';
  const [addedWord, removedWord] = ['diffEditor-insertedTextBackground', 'diffEditor-removedTextBackground'];
  return {
    id: (dataset['vscodeThemeId'] ?? '').slice(0, 300),
    kind: classList.contains('vscode-high-contrast-light')
      ? 'highContrastLight'
      : classList.contains('vscode-high-contrast')
        ? 'highContrast'
        : classList.contains('vscode-light')
          ? 'light'
          : 'dark',
    backgrounds: {
      editor: of('editor-background'),
      addedLine: of('diffEditor-insertedLineBackground', addedWord),
      addedWord: of(addedWord),
      removedLine: of('diffEditor-removedLineBackground', removedWord),
      removedWord: of(removedWord),
    },
  };
}

/** Sets the colours of styles. The content policy of the page allows no style in the markup. */
export function setPalette({ first, colours }: Omit<PaletteMessage, 'type'>): void {
  const rules = [
    'font-style: italic',
    'font-weight: bold',
    'text-decoration: underline',
    'text-decoration: line-through',
  ];
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    [
      ...rules.map((rule, bit) => `.code .f${bit} { ${rule} }`),
      ...colours.flatMap((shades, number) =>
        (['plain', 'added', 'removed'] as const).map((kind) =>
          shades === null
            ? ''
            : `.row${kind === 'plain' ? '' : `.${kind}`} > .code .k${first + number} { color: ${shades[kind]} }`,
        ),
      ),
    ].join('\n'),
  );
  document.adoptedStyleSheets = [sheet];
}
