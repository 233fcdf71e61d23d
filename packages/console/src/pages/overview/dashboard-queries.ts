import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getKeyfront } from '../../session/keyfront.ts';
import { firstDayOf, type Period } from './period.ts';

export const dashboardSummary = queryOptions({
  queryKey: ['dashboard', 'summary'],
  queryFn: ({ signal }) => getKeyfront().dashboard.summary({ signal }),
});

/** The points of a period, and of the one before it. */
export function dashboardAnalytics(period: Period) {
  return queryOptions({
    queryKey: ['dashboard', 'analytics', period],
    queryFn: ({ signal }) =>
      getKeyfront().dashboard.analytics(
        { startDate: firstDayOf(period, new Date()), filterBy: period },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}
