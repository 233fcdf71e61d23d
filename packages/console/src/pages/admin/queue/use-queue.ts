import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type QueuePage, type QueuePages, rowsOf, withHead } from './queue-pages.ts';

/** Loads the page of a queue that begins after another one. An empty text begins with the first. */
export type LoadPage<Row> = (
  page: { readonly after: string; readonly take: number },
  signal: AbortSignal,
) => Promise<QueuePage<Row>>;

/** Rows are loaded as somebody scrolls, so that a page may be larger than a screen. */
const pageSize = 50;
/** Holders place orders all the time, and an administrator has no stream of events. */
const pollMs = 5_000;
/** How long a row that is far below may differ from what the service knows, if nothing else tells of it. */
const reloadMs = 60_000;

/**
 * The rows of a queue. Every five seconds only the first rows are asked for, with the count of all. They show what has come and what has
 * changed there, and the count shows whether rows have gone: only then everything that is loaded is asked for again.
 */
export function useQueue<Row extends { readonly id: string }>(
  queryKey: readonly unknown[],
  load: LoadPage<Row>,
  paging: 'cursors' | 'numbers',
) {
  const queryClient = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ after: pageParam, take: pageSize }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }, pages) => {
      if (next === null || paging === 'cursors') return next;
      // Rows that have come or gone move the pages that have numbers. One that begins too early repeats rows, and none is left out.
      return String(Math.floor(rowsOf({ pages, pageParams: [] }).length / pageSize) + 1);
    },
    placeholderData: keepPreviousData,
    refetchInterval: reloadMs,
  });
  useQuery({
    queryKey: ['admin-poll', ...queryKey],
    queryFn: async ({ signal }) => {
      const head = await load({ after: '', take: pageSize }, signal);
      // What is being loaded is newer than what this has compared.
      if (queryClient.isFetching({ queryKey, exact: true }) > 0) return null;
      const data = queryClient.getQueryData<QueuePages<Row>>(queryKey);
      const merged = data && withHead(data, head);
      if (merged) queryClient.setQueryData(queryKey, merged);
      else await queryClient.refetchQueries({ queryKey, exact: true });
      return null;
    },
    enabled: query.isSuccess && !query.isPlaceholderData,
    // What was just loaded needs no poll.
    initialData: null,
    staleTime: pollMs,
    refetchInterval: pollMs,
    // The rows are news, not the poll.
    notifyOnChangeProps: [],
  });
  const { data } = query;
  const rows = useMemo(() => data && rowsOf(data), [data]);
  return { query, rows, count: data?.pages[0]?.itemCount };
}
