import pg from 'pg';

const { builtins } = pg.types;

/** `2026-11-15 01:50:25.12+00` as `2026-11-15T01:50:25.120Z`. Every session runs in UTC, so the offset is always +00. */
export function isoTime(text: string): string {
  // Nearly all have three digits behind the point.
  if (text.length === 26 && text[19] === '.' && text.endsWith('+00'))
    return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  if (text.length < 22 || !text.endsWith('+00'))
    throw new RangeError('A time of the database is not of this era');
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('An integer of the database does not fit a number');
  return value;
}

/** How values come out of the database: counts and token ids as numbers, times as the wire shows them, money as text. */
export function valueParserFor(dataTypeID: number): (text: string) => unknown {
  if (dataTypeID === builtins.INT8) return safeInteger;
  if (dataTypeID === builtins.TIMESTAMPTZ) return isoTime;
  return pg.types.getTypeParser(dataTypeID, 'text');
}
