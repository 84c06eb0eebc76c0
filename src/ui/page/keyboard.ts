import type { CardList } from './cardList.ts';

/**
 * Keys of the page. The editor's own keybindings do not fire inside a webview, so it handles them itself. A card is decided
 * only by a chord and only when the keyboard is in it; Escape leaves and never declines.
 */
export function listenToKeys(list: CardList, leave: () => void): void {
  document.addEventListener('keydown', (event) => {
    if (!event.isTrusted || event.isComposing || event.repeat) return;
    const action = actionOf(event, list, leave);
    if (!action) return;
    // Otherwise the webview would hand the key on to the editor as well.
    event.preventDefault();
    event.stopPropagation();
    action();
  });
}

function actionOf(event: KeyboardEvent, list: CardList, leave: () => void): (() => void) | undefined {
  const card = list.focused();
  const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const { target } = event;
  const isText = target instanceof HTMLInputElement && target.type === 'text';
  // Words belong to declining; a number belongs to approving.
  const isNumber = isText && target.inputMode === 'numeric';
  if (isChord && event.key === 'Enter' && (!isText || isNumber)) return card && (() => card.approve());
  // In a text field this chord deletes a word.
  if (isChord && event.key === 'Backspace' && !isText) return card && (() => card.decline());
  if (isChord && event.key.toLowerCase() === 'd') return card && (() => card.openDiff());
  if (event.altKey && !event.ctrlKey && !event.metaKey && event.key === 'ArrowDown') return () => list.step(1);
  if (event.altKey && !event.ctrlKey && !event.metaKey && event.key === 'ArrowUp') return () => list.step(-1);
  if (event.key === 'Escape') return leave;
  return undefined;
}
