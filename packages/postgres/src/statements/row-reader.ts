import pg from 'pg';

const { builtins } = pg.types;

/** A column of a result, as PostgreSQL describes it. */
export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Creates a row from the values of a DataRow message. */
export type RowReader<Row> = (values: readonly (string | null)[]) => Row;

const keepText = getValueParser(builtins.TEXT);
const compiled = new Map<string, RowReader<unknown>>();

/** Returns the reader for rows of these columns. There is one for each list of columns that a statement selects. */
export function getRowReader<Row>(columns: readonly Column[]): RowReader<Row> {
  const shape = JSON.stringify(columns.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const reader = compiled.get(shape) ?? compile(columns);
  compiled.set(shape, reader);
  // The statement declares the type of its rows.
  return reader as RowReader<Row>;
}

/**
 * Compiles a function that creates a row as one object literal. An object that grows column by column takes several times
 * as long, and a page of an export has a hundred rows. The column names come from statements of this service only.
 */
function compile(columns: readonly Column[]): RowReader<unknown> {
  const parsers = columns.map(({ dataTypeID }) => getValueParser(dataTypeID));
  const properties = columns.map(({ name }, index) => {
    const value = `values[${index}]`;
    const parsed =
      parsers[index] === keepText ? value : `${value} === null ? null : parsers[${index}](${value})`;
    return `${JSON.stringify(name)}: ${parsed}`;
  });
  const make = new Function('parsers', `return (values) => ({ ${properties.join(', ')} });`);
  return make(parsers);
}

/** Converts `2026-11-15 01:50:25.12+00` to `2026-11-15T01:50:25.120Z`. Sessions run in UTC, so the offset is always +00. */
export function toIsoTime(text: string): string {
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
 * Parses decimal text with at most two decimals. The number is the double that is nearest to the text, and JSON writes the shortest
 * text that reads as this double: the same amount, up to 70 trillion.
 */
export function parseAmount(text: string): number {
  const point = text.indexOf('.');
  if (point !== -1 && text.length - point > 3) throw new RangeError('An amount has more than two decimals');
  return Number(text);
}

/**
 * Returns the parser for a type: bigint becomes a number, a time ISO 8601 text. A numeric is an amount with at most two decimals
 * and becomes a number. A statement selects a numeric with more decimals as text.
 */
function getValueParser(dataTypeID: number): (text: string) => unknown {
  if (dataTypeID === builtins.INT8) return toSafeInteger;
  if (dataTypeID === builtins.TIMESTAMPTZ) return toIsoTime;
  if (dataTypeID === builtins.NUMERIC) return parseAmount;
  return pg.types.getTypeParser(dataTypeID, 'text');
}
