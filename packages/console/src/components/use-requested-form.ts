import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/history' {
  interface HistoryState {
    /** Whether a command has asked for the form of the page. */
    opensForm?: boolean;
  }
}

/** Opens the form of a page when a command of the palette has led to it. */
export function useRequestedForm(open: () => void): void {
  const { href, state } = useLocation();
  const { history } = useRouter();
  useEffect(() => {
    if (!state.opensForm) return;
    open();
    // Once: neither a reload nor the way back opens it again.
    history.replace(href, {});
  }, [state, href, history, open]);
}
