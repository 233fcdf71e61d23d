import type { OrderLine } from '@keyfront/protocol';
import { toAmount, toCents } from '../../lib/amounts.ts';

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
