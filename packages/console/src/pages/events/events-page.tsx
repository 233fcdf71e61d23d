import { ValidationError } from '@keyfront/sdk';
import { Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { filterEntry } from '../../filters/filter-entry.ts';
import { SearchField } from '../../filters/search-field.tsx';
import { countOf } from '../../format/count-of.ts';
import { addLiveEvents } from '../../live/add-live-events.ts';
import { useLiveEventList } from '../../live/live-events.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/events.ts';
import { type EventFilters, readEventFilters } from './event-filters.ts';
import { EventRow } from './event-row.tsx';
import { matchesEventType } from './event-type-filter.ts';
import classes from './events-page.module.css';

const pageSize = 30;

/** The events of the digital key, newest first, and new ones as they happen. */
export function EventsPage() {
  const filters = useSearch({ from: '/shell/events' });
  const navigate = useNavigate();
  const setFilters = (next: EventFilters, typedFilter?: string) =>
    void navigate({ to: '/events', search: next, ...filterEntry(typedFilter) });
  const { type = '' } = filters;
  const query = useInfiniteQuery({
    queryKey: ['events', 'list', type],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().events.list(
        { orderBy: 'desc', take: pageSize, ...filters, ...(pageParam ? { before: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextBefore }) => nextBefore,
    placeholderData: keepPreviousData,
  });
  const live = useLiveEventList().filter((event) => matchesEventType(event.type, type));
  const loaded = query.data?.pages.flatMap((page) => page.events);
  const events = loaded && addLiveEvents(live, loaded);
  const isRefused = query.error instanceof ValidationError;
  const absence = explainAbsence(type, isRefused);
  return (
    <>
      <PageHeader title={texts.events} description={texts.whatHasHappenedNewestFirstNew} />
      <FilterBar
        isFiltered={type !== ''}
        onClear={() => setFilters({})}
        search={
          <SearchField
            label={texts.types}
            placeholder={texts.typesOrderPaymentPaid}
            value={type}
            error={isRefused ? 'Enter types such as order.created or order.*' : undefined}
            onChange={(text) => setFilters(readEventFilters({ type: text }), 'type')}
          />
        }
      />
      <div className="visually-hidden" role="status">
        {live.length > 0 && countOf(live.length, 'new event')}
      </div>
      <ListPanel
        query={query}
        rows={isRefused ? [] : events}
        errorTitle={texts.eventsCouldNotBeLoaded}
        empty={
          <EmptyState icon="events" title={absence.title}>
            {absence.text}
            {isRefused && (
              <a href="/docs/guides/events#types" className="link">
                {texts.listOfTypes}
              </a>
            )}
          </EmptyState>
        }
      >
        {!events && (
          <Stack p="md">
            {[1, 2, 3, 4, 5, 6, 7, 8].map((key) => (
              <Skeleton key={key} height={34} />
            ))}
          </Stack>
        )}
        <ul className={classes.list}>
          {events?.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      </ListPanel>
    </>
  );
}

function explainAbsence(type: string, isRefused: boolean): { title: string; text: string } {
  if (isRefused) {
    return { title: texts.thereAreNoSuchTypes, text: texts.typesOfAllEventsAreIn };
  }
  return type === ''
    ? { title: texts.noEventsYet, text: texts.changeClientOrPlaceOrderTo }
    : { title: texts.noEventMatches, text: texts.eventsOfTheseTypesAppearHere };
}
