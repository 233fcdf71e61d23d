import pg from 'pg';
import { getValueParser } from './wire-types.ts';

/** A column of a result, as PostgreSQL describes it. */
export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Creates a row from the values of a DataRow message. */
export type RowReader<Row> = (values: readonly (string | null)[]) => Row;

const keepText = getValueParser(pg.types.builtins.TEXT);
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
