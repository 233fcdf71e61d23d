import { deliveryChargeOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { getDeliveryCharges, setDeliveryCharge } from './delivery-charge-rules.ts';

export function bindDeliveryCharges(
  binder: OperationBinder,
  database: Database,
  catalogue: CatalogueCache,
): void {
  binder.bind(deliveryChargeOperations.listDeliveryCharges, () => getDeliveryCharges(database), {
    cache: catalogue.deliveryCharges,
  });
  binder.bind(
    deliveryChargeOperations.setDeliveryCharge,
    ({ scope, body }) => setDeliveryCharge(database, requireAdministrator(scope), body),
    { after: () => catalogue.clear() },
  );
}
