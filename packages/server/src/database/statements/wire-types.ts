import pg from 'pg';
import { parseAmount } from '../../lib/amounts.ts';

const { builtins } = pg.types;

/** Converts `2026-11-15 01:50:25.12+00` to `2026-11-15T01:50:25.120Z`. Sessions run in UTC, so the offset is always +00. */
function toIsoTime(text: string): string {
  // The usual form, with three decimal places.
  if (text.length === 26 && text[19] === '.' && text.endsWith('+00'))
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  if (text.length < 22 || !text.endsWith('+00'))
    throw new RangeError('A time of the database is outside the years 1 to 9999');
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('An integer of the database is not a safe integer');
  return value;
}

/**
 * Returns the parser for a type: bigint becomes a number, a time ISO 8601 text. A numeric is an amount with at most two decimals
 * and becomes a number. A statement selects a numeric with more decimals as text.
 */
export function getValueParser(dataTypeID: number): (text: string) => unknown {
  if (dataTypeID === builtins.INT8) return toSafeInteger;
  if (dataTypeID === builtins.TIMESTAMPTZ) return toIsoTime;
  if (dataTypeID === builtins.NUMERIC) return parseAmount;
  return pg.types.getTypeParser(dataTypeID, 'text');
}
