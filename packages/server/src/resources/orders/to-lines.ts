import type { OrderLine, Shipment } from '@keyfront/protocol';
import { toAmount, toCents } from '../../lib/amounts.ts';
import { validationFailed } from '../../lib/errors/api-error.ts';

type LineQuantity = Shipment['orderLines'][number];

/** A line of an order, in the order of its lines. */
export interface LineRecord {
  readonly strainId: string;
  readonly name: string;
  readonly type: OrderLine['strain']['type'];
  readonly imageUrl: string | null;
  readonly unitPrice: number;
  readonly quantity: number;
}

/** Converts the lines of an order to their response. */
export function toLines(orderId: string, lines: readonly LineRecord[]): OrderLine[] {
  return lines.map(({ strainId, name, type, imageUrl, unitPrice, quantity }, index) => ({
    id: makeLineId(orderId, index + 1),
    quantity,
    productAmount: unitPrice,
    unitPrice,
    totalAmount: toAmount(toCents(unitPrice) * BigInt(quantity)),
    strain: { id: strainId, name, type, imageUrl },
  }));
}

/**
 * Derives the id of a line, so that it needs no storage: the id of its order as a UUID of version 8 with the number of the line in
 * the last 16 bits.
 */
function makeLineId(orderId: string, lineNumber: number): string {
  const tail = Number.parseInt(orderId.slice(32), 16) ^ lineNumber;
  return `${orderId.slice(0, 14)}8${orderId.slice(15, 32)}${tail.toString(16).padStart(4, '0')}`;
}

/** Units of a line, as they are stored. */
export interface StoredQuantity {
  readonly number: number;
  readonly quantity: number;
}

/** Converts stored units of lines to their response. */
export function toQuantities(orderId: string, lines: readonly StoredQuantity[]): LineQuantity[] {
  return lines.map(({ number, quantity }) => ({ id: makeLineId(orderId, number), quantity }));
}

/** A line of an order that is locked. */
export interface LockedLine {
  readonly number: number;
  readonly name: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly shippedQuantity: number;
  readonly refundedQuantity: number;
}

/** Reads the units of a request, by line. A request may repeat a line. Throws the 400 if a line is not of the order. */
export function readQuantities(
  orderId: string,
  lines: readonly LockedLine[],
  requested: readonly LineQuantity[],
): Map<LockedLine, number> {
  const byId = new Map(lines.map((line) => [makeLineId(orderId, line.number), line]));
  const quantities = new Map<LockedLine, number>();
  requested.forEach(({ id, quantity }, index) => {
    const line = byId.get(id.toLowerCase());
    if (!line) throw validationFailed([`orderLines.${index}.id must be the id of a line of the order`]);
    quantities.set(line, (quantities.get(line) ?? 0) + quantity);
  });
  return quantities;
}

/** Says how many units there are, with the verb. */
export function describeUnits(count: number): string {
  return count === 1 ? '1 unit is' : `${count} units are`;
}

/** The units of a line that are left to send. A unit that was refunded is not sent any more. */
export function unsentOf({ quantity, shippedQuantity, refundedQuantity }: LockedLine): number {
  return Math.max(0, quantity - shippedQuantity - refundedQuantity);
}

/** Whether a parcel with units of these lines was sent. */
export function isAnySent(lines: readonly LockedLine[]): boolean {
  return lines.some(({ shippedQuantity }) => shippedQuantity > 0);
}
