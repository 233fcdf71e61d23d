import pg from 'pg';
import { valueParserFor } from './wire-types.ts';

/** A column of a result, as PostgreSQL describes it. */
export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row of its values as they came over the wire. */
export type RowReader<Row> = (values: readonly (string | null)[]) => Row;

const takeAsText = valueParserFor(pg.types.builtins.TEXT);
const compiled = new Map<string, RowReader<unknown>>();

/** The reader for rows of these columns. There are as many as statements that differ in what they select. */
export function rowReaderFor<Row>(columns: readonly Column[]): RowReader<Row> {
  const shape = JSON.stringify(columns.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const reader = compiled.get(shape) ?? compile(columns);
  compiled.set(shape, reader);
  // The statement says what its rows hold.
  return reader as RowReader<Row>;
}

/**
 * Compiled, so that a row is one object literal: an object that grows column by column is several times as slow to make,
 * and a page of an export makes a hundred. The names of the columns are those of our own statements.
 */
function compile(columns: readonly Column[]): RowReader<unknown> {
  const parsers = columns.map(({ dataTypeID }) => valueParserFor(dataTypeID));
  const properties = columns.map(({ name }, at) => {
    const value = `values[${at}]`;
    const parsed = parsers[at] === takeAsText ? value : `${value} === null ? null : parsers[${at}](${value})`;
    return `${JSON.stringify(name)}: ${parsed}`;
  });
  const make = new Function('parsers', `return (values) => ({ ${properties.join(', ')} });`);
  return make(parsers);
}
