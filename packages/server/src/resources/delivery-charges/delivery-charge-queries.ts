import type { DeliveryCharge } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statements/statement.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { formatCents, toCents } from '../../lib/amounts.ts';

const columns = `id, country_code AS "countryCode", currency, delivery_charge AS "deliveryCharge",
  free_from AS "freeFrom", updated_at AS "updatedAt"`;

const listAll = statement<DeliveryCharge>(
  'delivery-charges.list',
  `SELECT ${columns} FROM delivery_charges ORDER BY country_code, currency`,
);

/** Lists all delivery charges by country and currency. */
export function listDeliveryCharges(database: Database): Promise<DeliveryCharge[]> {
  return database.queryShared(listAll);
}

export interface WantedDeliveryCharge {
  readonly countryCode: string;
  readonly currency: string;
  readonly deliveryCharge: number | string;
  readonly freeFrom: number | string | null;
}

const lock = statement<DeliveryCharge>(
  'delivery-charges.lock',
  `SELECT ${columns} FROM delivery_charges WHERE country_code = $1 AND currency = $2 FOR UPDATE`,
);

/** Locks the charge of a country in a currency. Returns null if there is none. */
export async function lockDeliveryCharge(
  tx: RunInTransaction,
  { countryCode, currency }: WantedDeliveryCharge,
): Promise<DeliveryCharge | null> {
  const [charge] = await tx(lock, [countryCode, currency]);
  return charge ?? null;
}

const write = statement<DeliveryCharge>(
  'delivery-charges.write',
  `INSERT INTO delivery_charges (country_code, currency, delivery_charge, free_from) VALUES ($1, $2, $3, $4)
   ON CONFLICT (country_code, currency) DO UPDATE
     SET delivery_charge = excluded.delivery_charge, free_from = excluded.free_from
   RETURNING ${columns}`,
);

/** Inserts the charge of a country in a currency, or updates it. */
export async function writeDeliveryCharge(
  tx: RunInTransaction,
  { countryCode, currency, deliveryCharge, freeFrom }: WantedDeliveryCharge,
): Promise<DeliveryCharge> {
  const [charge] = await tx(write, [
    countryCode,
    currency,
    formatCents(toCents(deliveryCharge)),
    freeFrom === null ? null : formatCents(toCents(freeFrom)),
  ]);
  if (!charge) throw new Error('The written delivery charge was not returned');
  return charge;
}
