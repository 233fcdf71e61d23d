import type { AdminClient } from '@keyfront/sdk';
import type { QueryKey } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { IconName } from '../../../components/icon.tsx';
import type { Decide } from './decision.ts';

/** What every row of a queue has. */
export type QueueRow = Pick<AdminClient, 'id' | 'adminApproval' | 'rejectionNote'>;

export type Approval = QueueRow['adminApproval'];

export interface SummaryProps<Row> {
  readonly row: Row;
  /** Of what has the focus in it: the Tab key stops at the current row only. */
  readonly tabIndex: 0 | -1;
}

/** What a queue is of, and how it is shown and decided. */
export interface QueueKind<Row extends QueueRow, Details> {
  /** What a row is, such as `order`. */
  readonly noun: string;
  readonly icon: IconName;
  readonly labelOf: (row: Row) => string;
  /** The page of its own. */
  readonly pathOf: (row: Row) => string;
  /** What a row shows. */
  readonly Summary: ComponentType<SummaryProps<Row>>;
  /** The request for everything that a decision needs. */
  readonly details: (id: string) => {
    readonly queryKey: QueryKey;
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Details>;
  };
  /** What the panel shows beside the rows. */
  readonly Peek: ComponentType<{ readonly details: Details }>;
  /** Whether the service allows this decision, and it changes the row. */
  readonly canDecide: (row: Row, approval: Approval) => boolean;
  /** Whether nothing in the details stands against a rejection. */
  readonly isRejectable: (details: Details) => boolean;
  readonly decide: Decide;
  /** Whether the service takes a decision back. */
  readonly isReversible: boolean;
  /** What a rejection of these rows does, for the person who is about to reject. */
  readonly rejectionEffect: (rows: readonly Row[]) => string;
  /** Who reads the note of a rejection, as a sentence. */
  readonly noteReaders: string;
}
