import type { SaleStage } from '@keyfront/sdk';

/** The stages in the order of the board. */
export const stages: Record<SaleStage, { readonly title: string; readonly hint: string }> = {
  LEADS: { title: 'Leads', hint: 'Clients that have not ordered yet appear here.' },
  ONGOING: { title: 'Ongoing', hint: 'A sale moves here with the first order.' },
  CLOSED: { title: 'Closed', hint: 'Delivered and cancelled orders close their sale.' },
};

const order = Object.keys(stages) as SaleStage[];

/** The stage beside another one, if there is one. */
export function stageBeside(stage: SaleStage, step: -1 | 1): SaleStage | undefined {
  return order[order.indexOf(stage) + step];
}
