import type { DeliveryCharge, DeliveryChargeList, DeliveryChargeSetting } from '@keyfront/protocol';
import { readCountryCode } from '@keyfront/validation/countries';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import { auditChange, auditCreation } from '../audit/audit-rules.ts';
import {
  listDeliveryCharges,
  lockDeliveryCharge,
  writeDeliveryCharge,
  writeTaxRate,
} from './delivery-charge-queries.ts';

/** Gets all delivery charges. */
export async function getDeliveryCharges(database: Database): Promise<DeliveryChargeList> {
  return { deliveryCharges: await listDeliveryCharges(database) };
}

/** Sets what the delivery to a country costs for orders in a currency, and the tax rate of the country if it is given. */
export function setDeliveryCharge(
  database: Database,
  scope: AdministratorScope,
  { countryCode, currency, deliveryCharge, freeFrom = null, taxRate }: DeliveryChargeSetting,
): Promise<DeliveryCharge> {
  // The schema accepts only codes of countries.
  const wanted = {
    countryCode: readCountryCode(countryCode) ?? countryCode,
    currency,
    deliveryCharge,
    freeFrom,
  };
  return database.transaction(scope, async (tx) => {
    // One pipelined query. The statements run in this order.
    const [before, , charge] = await Promise.all([
      lockDeliveryCharge(tx, wanted),
      taxRate === undefined ? null : writeTaxRate(tx, wanted.countryCode, taxRate),
      writeDeliveryCharge(tx, wanted),
    ]);
    const { id, updatedAt: _updatedAt, ...after } = charge;
    if (before) auditChange(tx, scope, 'DELIVERY_CHARGE', id, { before, after });
    else auditCreation(tx, scope, 'DELIVERY_CHARGE', id, after);
    return charge;
  });
}
