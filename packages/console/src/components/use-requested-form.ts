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
  const { opensForm } = useLocation().state;
  const { history } = useRouter();
  useEffect(() => {
    if (!opensForm) return;
    open();
    // Once: neither a reload nor the way back opens it again.
    history.replace(history.location.href, {});
  }, [opensForm, history, open]);
}
