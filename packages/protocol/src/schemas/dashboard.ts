import { type Static, Type } from 'typebox';
import { ClientSummary } from './clients.ts';
import { MomentFilter } from './moments.ts';
import { chartIntervals, OrderSummary } from './orders.ts';
import { SaleSummary } from './sales.ts';
import { Amount, Count, Currency, Nullable, StringEnum } from './values.ts';

export const DashboardSummary = Type.Object(
  { clients: ClientSummary, orders: OrderSummary, sales: SaleSummary },
  { title: 'DashboardSummary', description: 'All counts of a digital key at one moment' },
);
export type DashboardSummary = Static<typeof DashboardSummary>;

const directions = ['asc', 'desc'] as const;

export const DashboardAnalyticsQuery = Type.Object({
  startDate: Type.Optional(MomentFilter('First day, in UTC. The default is 30 days ago.')),
  endDate: Type.Optional(MomentFilter('Last day, in UTC. The default is today.')),
  filterBy: Type.Optional(
    StringEnum(chartIntervals, { description: 'The period that one point covers', default: 'day' }),
  ),
  currency: Type.Optional({
    ...Currency(),
    description: 'Currency of the revenue. The default is that of most orders.',
  }),
  orderBy: Type.Optional(
    StringEnum(directions, {
      description: 'Whether the oldest or the newest point is first',
      default: 'asc',
    }),
  ),
});
export type DashboardAnalyticsQuery = Static<typeof DashboardAnalyticsQuery>;

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-15'] });

export const DashboardAnalytics = Type.Object(
  {
    filterBy: StringEnum(chartIntervals, { description: 'The period that one point covers' }),
    startDate: day('First day'),
    endDate: day('Last day'),
    currency: Nullable(Currency()),
    analytics: Type.Array(
      Type.Object(
        {
          date: day('First day of the interval'),
          clients: Count('Clients that were created'),
          orders: Count('Orders that were placed, in every currency'),
          revenue: Amount('Total in `currency` of those orders that are not cancelled'),
          paidRevenue: Amount(
            'Total of those that are paid. What was refunded of one counts until all of it is',
          ),
        },
        { title: 'DashboardPoint' },
      ),
    ),
  },
  { title: 'DashboardAnalytics' },
);
export type DashboardAnalytics = Static<typeof DashboardAnalytics>;
