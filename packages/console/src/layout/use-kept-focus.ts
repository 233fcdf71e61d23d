import { useEffect } from 'react';

/** Gives the focus back to a button that was disabled while it worked: the browser takes it away. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const onFocus = ({ target }: FocusEvent) => {
      last = target;
    };
    const observer = new MutationObserver((changes) => {
      const isBack = changes.some(
        ({ target }) => target === last && !(target as HTMLElement).matches(':disabled'),
      );
      if (isBack && document.activeElement === document.body)
        (last as HTMLElement).focus({ preventScroll: true });
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}
