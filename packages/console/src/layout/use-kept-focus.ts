import { useEffect } from 'react';
import { findHeading, findTitle, isOnPage } from '../components/find-heading.ts';

/**
 * Keeps the focus that the browser takes away. A button that was disabled while it worked gets it back. For one that is gone after its
 * work, what had the focus before a notification gets it, or the heading beside the button, or the title of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: HTMLElement | null = null;
    /** What takes the focus if `last` goes, the first that is still there. */
    let next: readonly (HTMLElement | null)[] = [];
    let isOfPage = true;
    const onFocus = ({ target }: FocusEvent) => {
      const focused = target as HTMLElement;
      const isNotification = focused.closest('[role="alert"]');
      // Of several notifications in a row, none has to be there later.
      if (!isNotification) {
        next = [findHeading(focused)];
        isOfPage = isOnPage(focused);
      } else if (!last?.closest('[role="alert"]')) next = [last, ...next];
      last = focused;
    };
    // Whoever presses beside what has the focus has left it.
    const onPress = ({ target }: PointerEvent) => {
      const pressed = target as HTMLElement;
      // A notification is gone soon, and what had the focus before gets it back.
      if (!last?.contains(pressed) && !pressed.closest('[role="alert"]')) last = null;
    };
    const observer = new MutationObserver((changes) => {
      if (!last || document.activeElement !== document.body) return;
      const isBack = changes.some(({ target }) => target === last) && !last.matches(':disabled');
      const heir = last.isConnected
        ? isBack && last
        : (next.find((element) => element?.isConnected) ?? (isOfPage && findTitle()));
      if (heir) heir.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress);
      observer.disconnect();
    };
  }, []);
}
