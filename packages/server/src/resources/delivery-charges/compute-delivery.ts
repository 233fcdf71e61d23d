import type { DeliveryCharge } from '@keyfront/protocol';
import { toCents } from '../../lib/amounts.ts';

/** What the delivery to a country costs, in one currency. */
export type ChargeRecord = Pick<DeliveryCharge, 'currency' | 'deliveryCharge' | 'freeFrom'>;

/** Composes the SQL that lists the charges of a country as `ChargeRecord`s. `country` is the SQL of its alpha-3 code. */
export const composeCharges = (country: string) => `coalesce((
  SELECT json_agg(json_build_object('currency', currency, 'deliveryCharge', delivery_charge, 'freeFrom', free_from))
  FROM delivery_charges WHERE delivery_charges.country_code = ${country}
), '[]')`;

/** Composes the SQL of the tax rate of a country. `country` is the SQL of its alpha-3 code. */
export const composeTaxRate = (country: string) =>
  `coalesce((SELECT tax_rate FROM tax_rates WHERE tax_rates.country_code = ${country}), 0)::float8`;

/** Computes the tax that an amount contains, in cents, rounded to the nearest. `taxRate` is in per cent, with at most two decimals. */
export function computeTaxCents(cents: bigint, taxRate: number): bigint {
  const rate = BigInt(Math.round(taxRate * 100));
  const whole = 10_000n + rate;
  return (2n * cents * rate + whole) / (2n * whole);
}

/** Computes what the delivery of an order with this subtotal costs, in cents. */
export function computeDeliveryCents(
  charges: readonly ChargeRecord[],
  currency: string | null,
  subTotalCents: bigint,
): bigint {
  const charge = charges.find((each) => each.currency === currency);
  if (!charge || (charge.freeFrom !== null && subTotalCents >= toCents(charge.freeFrom))) return 0n;
  return toCents(charge.deliveryCharge);
}
