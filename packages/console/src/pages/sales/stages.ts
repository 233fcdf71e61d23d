import type { SaleStage } from '@keyfront/sdk';
import { texts } from '../../texts/sales.ts';

/** The stages in the order of the board. */
export const stages: Record<SaleStage, { readonly title: string; readonly hint: string }> = {
  LEADS: { title: texts.leads, hint: texts.clientsThatHaveNotOrderedYet },
  ONGOING: { title: texts.ongoing, hint: texts.saleMovesHereWithFirstOrder },
  CLOSED: { title: texts.closed, hint: texts.deliveredAndCancelledOrdersCloseTheir },
};

const order = Object.keys(stages) as SaleStage[];

/** The stage beside another one, if there is one. */
export function stageBeside(stage: SaleStage, step: -1 | 1): SaleStage | undefined {
  return order[order.indexOf(stage) + step];
}
