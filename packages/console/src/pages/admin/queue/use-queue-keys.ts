import { useEffect, useRef } from 'react';
import { isOverlayOpen } from '../../../components/is-overlay-open.ts';
import { isTextField } from '../../../components/is-text-field.ts';

interface QueueKeys {
  readonly onMove: (step: -1 | 1) => void;
  readonly onToggle: () => void;
  readonly onApprove: () => void;
  readonly onReject: () => void;
  /** Opens and closes the panel. */
  readonly onPeek: () => void;
  readonly onClose: () => void;
}

/**
 * `j` and `k` or the arrows move, `x` marks, `a` approves, `r` rejects, space or enter opens the panel and escape closes it. Fields,
 * menus and dialogs keep their keys, and so do links and buttons.
 */
export function useQueueKeys(keys: QueueKeys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { onMove, onToggle, onApprove, onReject, onPeek, onClose } = latest.current;
      const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (ctrlKey || metaKey || altKey || shiftKey || isOverlayOpen()) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (isTextField(target)) return;
      const act = (action: () => void) => {
        // Otherwise `r` would be the first letter of the note that it asks for, and space would scroll.
        event.preventDefault();
        action();
      };
      if (key === 'j') return act(() => onMove(1));
      if (key === 'k') return act(() => onMove(-1));
      // Elsewhere they scroll.
      if (key === 'ArrowDown' && isRow(target)) return act(() => onMove(1));
      if (key === 'ArrowUp' && isRow(target)) return act(() => onMove(-1));
      // A key that is held moves on, and decides nothing more.
      if (repeat) return;
      if (key === 'x') act(onToggle);
      if (key === 'a') act(onApprove);
      if (key === 'r') act(onReject);
      if ((key === ' ' || key === 'Enter') && isRow(target) && !target.closest('a, button, input'))
        act(onPeek);
      if (key === 'Escape') onClose();
    };
    // Before a menu or a dialog takes the key that closes it.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}

/** Whether the focus is in the rows, or nowhere in particular. */
function isRow(element: HTMLElement): boolean {
  return element === document.body || element.id === 'content' || element.closest('[role="grid"]') !== null;
}
