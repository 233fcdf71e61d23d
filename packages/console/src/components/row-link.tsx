import { Anchor } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface RowLinkProps {
  readonly to: string;
  /** The page of the list that the row belongs to. The same table may stand on other pages. */
  readonly list: string;
  /** Shown while the pointer rests on it. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** The link of a row to its page. It hands over the filters of the list, for the link that leads back. */
export function RowLink({ to, list, title, children }: RowLinkProps) {
  const { pathname, search } = useLocation();
  return (
    <Anchor
      component={Link}
      to={to}
      {...(pathname === list ? { state: { listSearch: search } } : {})}
      fw={600}
      size="sm"
      title={title}
    >
      {children}
    </Anchor>
  );
}
