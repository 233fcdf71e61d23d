import { useLocation, useMatch, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/history' {
  interface HistoryState {
    /** Whether a command has asked for the form of the page. */
    opensForm?: boolean;
  }
}

/** Opens the form of a page when a command of the palette has led to it. */
export function useRequestedForm(open: () => void): void {
  const { state, pathname } = useLocation();
  const page = useMatch({ strict: false, select: (match) => match.pathname });
  const { history } = useRouter();
  // The page that somebody leaves is still there while the next one is loaded, and may have a form too.
  const isRequested = state.opensForm && page === pathname;
  useEffect(() => {
    if (!isRequested) return;
    open();
    // Once: neither a reload nor the way back opens it again.
    history.replace(history.location.href, {});
  }, [isRequested, history, open]);
}
