import type { ReactNode } from 'react';
import classes from './rejection-note.module.css';

/** Says that an order or a client is rejected, above all else that the page shows of it. */
export function RejectionNote({ children }: { readonly children: ReactNode }) {
  return <p className={classes.note}>{children}</p>;
}
