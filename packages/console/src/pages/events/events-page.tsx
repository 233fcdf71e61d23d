import { Button, Code, TextInput } from '@mantine/core';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { clearLiveEvents, useLiveEventList } from '../../live/live-events.ts';
import { matchesEventType } from './event-type-filter.ts';
import classes from './events-page.module.css';

/** The events of the digital key as they happen. */
export function EventsPage() {
  const [type, setType] = useState('');
  const events = useLiveEventList().filter((event) => matchesEventType(event.type, type));
  return (
    <>
      <PageHeader
        title="Events"
        description="What happens from now on, as your storefront receives it from the stream"
        actions={
          <Button variant="default" onClick={clearLiveEvents} disabled={events.length === 0}>
            Clear
          </Button>
        }
      />
      <FilterBar isFiltered={type !== ''} onClear={() => setType('')}>
        <TextInput
          label="Types"
          placeholder="order.*, payment.paid"
          value={type}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        />
      </FilterBar>
      <Panel isFlush>
        {events.length === 0 ? (
          <EmptyState icon="events" title="Listening">
            Nothing has happened since you opened the console. Change a client or place an order to see an
            event.
          </EmptyState>
        ) : (
          <ul className={classes.list} aria-live="polite">
            {events.map((event) => (
              <li key={event.id}>
                <details className={classes.event}>
                  <summary>
                    <strong>{event.type}</strong>
                    <span className={classes.id}>{event.id}</span>
                    <Moment time={event.createdAt} isRelative />
                  </summary>
                  <Code block className={classes.body} tabIndex={0}>
                    {JSON.stringify(event, null, 2)}
                  </Code>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}
