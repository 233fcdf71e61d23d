import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { Skeleton } from './skeleton.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly render: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** The widest screen on which the column is left out. */
  readonly hiddenBelow?: 'narrow' | 'medium';
  /** By what the rows can be sorted here, as the service names it. */
  readonly sort?: ColumnSort;
}

interface ColumnSort {
  readonly ascending: string;
  readonly descending: string;
  /** The direction of the first press. */
  readonly first: 'ascending' | 'descending';
}

/** What the rows are sorted by, and what changes it. */
export interface Sorting {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  readonly skeletonRows?: number;
  /** Whether the first cell has a link that leads to the row. The whole row then follows it. */
  readonly isLinked?: boolean;
  readonly sorting?: Sorting;
}

/** A table with the same row height while it is loaded, so that nothing moves when the rows arrive. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  skeletonRows = 8,
  isLinked = false,
  sorting,
}: DataTableProps<Row>) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} data-linked={isLinked || undefined} aria-busy={rows === undefined}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, align, hiddenBelow, sort }) => (
              <th
                key={title}
                scope="col"
                data-align={align}
                data-hidden-below={hiddenBelow}
                aria-sort={sort && sorting && directionOf(sort, sorting.value)}
              >
                {sort && sorting ? <SortButton title={title} sort={sort} sorting={sorting} /> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, render, align, hiddenBelow }) => (
                <td key={title} data-align={align} data-hidden-below={hiddenBelow}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
          {!rows &&
            Array.from({ length: skeletonRows }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: these rows have nothing else, and never move.
              <tr key={index}>
                {columns.map(({ title, align, hiddenBelow }) => (
                  <td key={title} data-align={align} data-hidden-below={hiddenBelow}>
                    <Skeleton height={14} width="70%" />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

interface SortButtonProps {
  readonly title: string;
  readonly sort: ColumnSort;
  readonly sorting: Sorting;
}

/** The title of a column, which sorts by it, and then the other way round. */
function SortButton({ title, sort, sorting }: SortButtonProps) {
  const direction = directionOf(sort, sorting.value);
  const next =
    direction === 'none' ? sort.first : direction === 'ascending' ? 'descending' : ('ascending' as const);
  return (
    <button type="button" className={classes.sort} onClick={() => sorting.onChange(sort[next])}>
      {title}
      <span className={classes.arrow} data-direction={direction} aria-hidden="true">
        {direction === 'ascending' ? '↑' : '↓'}
      </span>
    </button>
  );
}

function directionOf({ ascending, descending }: ColumnSort, value: string) {
  if (value === ascending) return 'ascending';
  return value === descending ? 'descending' : 'none';
}
