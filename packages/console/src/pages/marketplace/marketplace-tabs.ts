import { readOneOf, removeAbsent } from '../../filters/read-filter.ts';
import { texts } from '../../texts/lists.ts';

export const marketplaceTabs = {
  listings: texts.forSale,
  sales: texts.yourSales,
  transactions: texts.transactions,
} as const;

export type MarketplaceTab = keyof typeof marketplaceTabs;

export function readMarketplaceTab({ tab }: Record<string, unknown>): { tab?: MarketplaceTab } {
  return removeAbsent({ tab: readOneOf(Object.keys(marketplaceTabs) as MarketplaceTab[], tab) });
}
