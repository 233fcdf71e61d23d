import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './row-link.module.css';

interface RowLinkProps {
  readonly to: string;
  /** The page of the list that the row belongs to. The same table may stand on other pages. */
  readonly list: string;
  /** Shown while the pointer rests on it. */
  readonly title?: string;
  /** -1 where the Tab key stops at one row only. */
  readonly tabIndex?: number;
  readonly children: ReactNode;
}

/** The link of a row to its page. It hands over the filters of the list, for the link that leads back. */
export function RowLink({ to, list, title, tabIndex, children }: RowLinkProps) {
  const { pathname, search } = useLocation();
  return (
    <Link
      to={to}
      className={`link ${classes.row}`}
      {...(pathname === list ? { state: { listSearch: search } } : {})}
      title={title}
      tabIndex={tabIndex}
    >
      {children}
    </Link>
  );
}
