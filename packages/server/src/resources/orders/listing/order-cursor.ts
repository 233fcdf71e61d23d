import { orderSortFields, parseMoment, uuidForm } from '@keyfront/protocol';
import { validationFailed } from '../../../lib/errors/api-error.ts';
import type { OrderSort } from './order-filter.ts';

/** A position in a sorted list: directly after an order. */
export interface OrderPlace {
  /** The value of the sort field of that order. */
  readonly value: string;
  readonly id: string;
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const isTime = (value: string) => time.test(value) && parseMoment(value) !== null;
const isValue: Record<OrderSort['field'], (value: string) => boolean> = {
  createdAt: isTime,
  updatedAt: isTime,
  totalAmount: (value) => /^\d{1,12}(\.\d{1,2})?$/.test(value),
  invoiceNumber: (value) => value.length > 0 && value.length <= 100 && !value.includes('\0'),
};

/** Encodes a position as an opaque cursor. */
export function writeCursor({ field, direction }: OrderSort, { value, id }: OrderPlace): string {
  return Buffer.from(JSON.stringify([orderSortFields.indexOf(field), direction, value, id])).toString(
    'base64url',
  );
}

/** Decodes a cursor, or throws the 400. A cursor is valid only for the sort order it was created for. */
export function readCursor(cursor: string, sort: OrderSort): OrderPlace {
  const [field, direction, value, id] = decode(cursor);
  const isComplete =
    typeof field === 'number' && typeof value === 'string' && typeof id === 'string' && uuidForm.test(id);
  if (!isComplete) throw validationFailed(['cursor must be a nextCursor of this list']);
  if (orderSortFields[field] !== sort.field || direction !== sort.direction) {
    throw validationFailed(['cursor belongs to another orderBy']);
  }
  if (!isValue[sort.field](value)) throw validationFailed(['cursor must be a nextCursor of this list']);
  return { value, id };
}

function decode(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
