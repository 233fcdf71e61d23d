import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { LoadMore, type PagedQuery } from './load-more.tsx';
import { Panel } from './panel.tsx';

interface ListPanelProps {
  readonly query: PagedQuery & { readonly error: Error | null; readonly refetch: () => Promise<unknown> };
  /** Undefined while they are loaded. */
  readonly rows: readonly unknown[] | undefined;
  readonly errorTitle: string;
  /** What is shown in place of a list without rows. */
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** A list with its states: it failed to load, it is empty, it has more pages. */
export function ListPanel({ query, rows, errorTitle, empty, children }: ListPanelProps) {
  if (query.error && !rows) {
    return <ErrorNotice title={errorTitle} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <Panel isFlush>{rows?.length === 0 ? empty : children}</Panel>
      <LoadMore query={query} />
    </>
  );
}
