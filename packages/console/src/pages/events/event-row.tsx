import type { KeyfrontEvent } from '@keyfront/sdk';
import { Anchor, Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../components/moment.tsx';
import { describeEvent } from './describe-event.ts';
import classes from './event-row.module.css';

/** An event as storefronts receive it, which opens to show all of it. */
export function EventRow({ event }: { readonly event: KeyfrontEvent }) {
  const { what, name, to } = describeEvent(event);
  return (
    <details className={classes.event}>
      <summary>
        <strong>{event.type}</strong>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.id}>{event.id}</span>
        <Moment time={event.createdAt} isRelative />
      </summary>
      <Anchor component={Link} to={to} size="sm" className={classes.link}>
        {what} <bdi>{name}</bdi>
      </Anchor>
      <Code block className={classes.body} tabIndex={0}>
        {JSON.stringify(event, null, 2)}
      </Code>
    </details>
  );
}
