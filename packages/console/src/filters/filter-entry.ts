declare module '@tanstack/history' {
  interface HistoryState {
    /** The field whose typing has made this entry of the history. */
    typedFilter?: string;
  }
}

/**
 * How a change of filters is written into the history: each is an entry, so that Back takes back one. What is typed into one field is one
 * entry, however long the person takes. The page stays where it is scrolled to.
 */
export function filterEntry(typedFilter?: string) {
  const isContinued = typedFilter !== undefined && window.history.state?.typedFilter === typedFilter;
  return { replace: isContinued, resetScroll: false, state: typedFilter ? { typedFilter } : {} };
}
