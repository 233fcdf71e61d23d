import { deliveryChargeOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import { getDeliveryCharges, setDeliveryCharge } from './delivery-charge-rules.ts';

export function addDeliveryChargeRoutes(
  router: OperationRouter,
  database: Database,
  catalogue: CatalogueCache,
): void {
  router.add(deliveryChargeOperations.listDeliveryCharges, () => getDeliveryCharges(database), {
    cache: catalogue.deliveryCharges,
  });
  router.add(
    deliveryChargeOperations.setDeliveryCharge,
    ({ scope, body }) => setDeliveryCharge(database, scope, body),
    { after: () => catalogue.clear() },
  );
}
