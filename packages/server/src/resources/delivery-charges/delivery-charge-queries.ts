import type { DeliveryCharge, DeliveryChargeSetting } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import { formatCents, toCents } from '../../lib/amounts.ts';
import { composeTaxRate } from './compute-delivery.ts';

const columns = `id, country_code AS "countryCode", currency, delivery_charge AS "deliveryCharge",
  free_from AS "freeFrom", ${composeTaxRate('delivery_charges.country_code')} AS "taxRate", updated_at AS "updatedAt"`;

/** Lists all delivery charges by country and currency. */
export const listDeliveryCharges = query<DeliveryCharge>(
  'delivery-charges.list',
  `SELECT ${columns} FROM delivery_charges ORDER BY country_code, currency`,
).listShared(() => []);

export type WantedDeliveryCharge = Required<Omit<DeliveryChargeSetting, 'taxRate'>>;

/** Sets the tax rate of a country. */
export const writeTaxRate = query(
  'delivery-charges.write-tax-rate',
  `INSERT INTO tax_rates (country_code, tax_rate) VALUES ($1, $2)
   ON CONFLICT (country_code) DO UPDATE SET tax_rate = excluded.tax_rate WHERE tax_rates.tax_rate <> excluded.tax_rate`,
).run((countryCode: string, taxRate: number) => [countryCode, taxRate]);

/** Locks the charge of a country in a currency. Returns null if there is none. */
export const lockDeliveryCharge = query<DeliveryCharge>(
  'delivery-charges.lock',
  `SELECT ${columns} FROM delivery_charges WHERE country_code = $1 AND currency = $2 FOR UPDATE`,
).find(({ countryCode, currency }: WantedDeliveryCharge) => [countryCode, currency]);

/** Inserts the charge of a country in a currency, or updates it. */
export const writeDeliveryCharge = query<DeliveryCharge>(
  'delivery-charges.write',
  `INSERT INTO delivery_charges (country_code, currency, delivery_charge, free_from) VALUES ($1, $2, $3, $4)
   ON CONFLICT (country_code, currency) DO UPDATE
     SET delivery_charge = excluded.delivery_charge, free_from = excluded.free_from
   RETURNING ${columns}`,
).get(({ countryCode, currency, deliveryCharge, freeFrom }: WantedDeliveryCharge) => [
  countryCode,
  currency,
  formatCents(toCents(deliveryCharge)),
  freeFrom === null ? null : formatCents(toCents(freeFrom)),
]);
