import { readOneOf, removeAbsent } from '../../filters/read-filter.ts';

export const marketplaceTabs = {
  listings: 'For sale',
  sales: 'Your sales',
  transactions: 'Transactions',
} as const;

export type MarketplaceTab = keyof typeof marketplaceTabs;

export function readMarketplaceTab({ tab }: Record<string, unknown>): { tab?: MarketplaceTab } {
  return removeAbsent({ tab: readOneOf(Object.keys(marketplaceTabs) as MarketplaceTab[], tab) });
}
