import type { DeliveryStatus } from '@keyfront/sdk';
import { readOneOf, removeAbsent } from '../../filters/read-filter.ts';
import { texts } from '../../texts/lists.ts';

export const deliveryStates: Readonly<Record<DeliveryStatus, string>> = {
  PENDING: texts.pending,
  DELIVERED: texts.delivered,
  FAILED: texts.failed,
};

/** The filter of the URL. What is not one is left out. */
export function readDeliveryFilters({ status }: Record<string, unknown>): {
  readonly status?: DeliveryStatus;
} {
  return removeAbsent({ status: readOneOf(Object.keys(deliveryStates) as DeliveryStatus[], status) });
}
