import type { KeyfrontEvent } from '@keyfront/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { addLiveEvents } from '../../live/add-live-events.ts';
import { useLiveEventList } from '../../live/live-events.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/overview.ts';
import { describeEvent } from '../events/describe-event.ts';
import classes from './latest-events.module.css';
import links from './link-list.module.css';

const shownEvents = 6;

/** The newest events, those that happen meanwhile included. */
export function LatestEvents() {
  const live = useLiveEventList();
  const { data, error, refetch } = useQuery({
    queryKey: ['events', 'latest'],
    queryFn: ({ signal }) => getKeyfront().events.list({ orderBy: 'desc', take: shownEvents }, { signal }),
  });
  const events = data && addLiveEvents(live, data.events).slice(0, shownEvents);
  return (
    <Panel
      title={texts.latestEvents}
      aside={
        <Link to="/events" className={`link ${links.all}`}>
          {texts.allEvents}
        </Link>
      }
    >
      {error && !events && (
        <ErrorNotice title={texts.eventsCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />
      )}
      {events?.length === 0 && <p className={links.nothing}>{texts.nothingYetWhatHappensToYour}</p>}
      <ul className={links.list}>
        {events?.map((event) => (
          <li key={event.id}>
            <EventLink event={event} />
          </li>
        ))}
        {!events &&
          !error &&
          Array.from({ length: shownEvents }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: these rows have nothing else, and never move.
            <li key={index} className={`${links.row} ${classes.row}`}>
              <Skeleton height={14} width="60%" />
            </li>
          ))}
      </ul>
    </Panel>
  );
}

function EventLink({ event }: { readonly event: KeyfrontEvent }) {
  const { icon, what, name, to } = describeEvent(event);
  return (
    <Link to={to} className={`${links.row} ${classes.row}`}>
      <Icon name={icon} />
      <span className={classes.words}>
        <strong>{what}</strong> <bdi>{name}</bdi>
      </span>
      <span className={classes.time}>
        <Moment time={event.createdAt} isRelative />
      </span>
    </Link>
  );
}
