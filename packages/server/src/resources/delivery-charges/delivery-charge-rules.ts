import type { DeliveryCharge, DeliveryChargeList, DeliveryChargeSetting } from '@keyfront/protocol';
import { readCountryCode } from '@keyfront/validation/countries';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { auditChange, auditCreation } from '../audit/audit-rules.ts';
import { listDeliveryCharges, lockDeliveryCharge, writeDeliveryCharge } from './delivery-charge-queries.ts';

/** Gets all delivery charges. */
export async function getDeliveryCharges(database: Database): Promise<DeliveryChargeList> {
  return { deliveryCharges: await listDeliveryCharges(database) };
}

/** Sets what the delivery to a country costs for orders in a currency. */
export function setDeliveryCharge(
  database: Database,
  scope: AdministratorScope,
  { countryCode, currency, deliveryCharge, freeFrom = null }: DeliveryChargeSetting,
): Promise<DeliveryCharge> {
  // The schema accepts only codes of countries.
  const wanted = {
    countryCode: readCountryCode(countryCode) ?? countryCode,
    currency,
    deliveryCharge,
    freeFrom,
  };
  return database.transaction(scope, async (tx) => {
    const before = await lockDeliveryCharge(tx, wanted);
    const charge = await writeDeliveryCharge(tx, wanted);
    const { id, updatedAt: _updatedAt, ...after } = charge;
    if (before) auditChange(tx, scope, 'DELIVERY_CHARGE', id, { before, after });
    else auditCreation(tx, scope, 'DELIVERY_CHARGE', id, after);
    return charge;
  });
}
