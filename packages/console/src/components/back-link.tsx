import { Anchor } from '@mantine/core';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import classes from './back-link.module.css';
import { Icon } from './icon.tsx';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The filters of the list whose row led to this page. */
    listSearch?: Readonly<Record<string, unknown>>;
  }
}

interface BackLinkProps {
  readonly to: string;
  readonly children: string;
}

/** Leads to the list that a page belongs to: with its filters, and to the same place in it, for visitors who come from there. */
export function BackLink({ to, children }: BackLinkProps) {
  const router = useRouter();
  const { listSearch } = useLocation().state;
  const goBack = (event: MouseEvent) => {
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!listSearch || !isPlain) return;
    // The entry before this one is the list.
    event.preventDefault();
    router.history.back();
  };
  return (
    <Anchor
      component={Link}
      to={to}
      // Of whichever page: the router cannot know its type.
      search={{ ...listSearch } as never}
      size="sm"
      className={classes.back ?? ''}
      onClick={goBack}
    >
      <Icon name="back" size={14} /> {children}
    </Anchor>
  );
}
