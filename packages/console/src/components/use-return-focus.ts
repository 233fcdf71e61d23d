import { useEffect } from 'react';
import { findHeading } from './find-heading.ts';

/** What had the focus last outside of dialogs and menus. */
let outside: Element | null = null;
/** What stands beside it, which may be there longer. */
let heading: Element | null = null;
/** The dialog that had the focus last. A button that works may have lost it by the time the dialog is closed, and get it back then. */
let dialog: Element | null = null;

function noteFocus(): void {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return;
  dialog = activeElement.closest('[role="dialog"]') ?? dialog;
  if (activeElement.closest('[role="dialog"], [role="menu"]')) return;
  outside = activeElement;
  heading = findHeading(activeElement);
}
noteFocus();
document.addEventListener('focusin', noteFocus);

/**
 * Gives the focus back when a dialog is closed. Mantine does so only for dialogs that stay mounted, and not when a menu has opened them:
 * its items are gone by then.
 */
export function useReturnFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement?.closest('[role="menu"]') ? null : document.activeElement;
    return () => {
      const closed = dialog;
      setTimeout(() => {
        const { activeElement } = document;
        // Unless something else has taken it, such as the next dialog.
        if (activeElement !== document.body && !closed?.contains(activeElement)) return;
        const candidates = [opener, outside, heading, document.querySelector('#content')];
        for (const candidate of candidates) {
          if (candidate === document.body || !(candidate instanceof HTMLElement)) continue;
          candidate.focus({ preventScroll: true });
          if (document.activeElement === candidate) return;
        }
      });
    };
  }, [isOpen]);
}
