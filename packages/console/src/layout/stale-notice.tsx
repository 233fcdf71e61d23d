import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Moment } from '../components/moment.tsx';
import { Notice } from '../components/notice.tsx';
import { publicKeyfront } from '../session/keyfront.ts';
import { useAwaySince } from '../session/service-state.ts';
import { texts } from '../texts/layout.ts';
import classes from './stale-notice.module.css';

const askAgainMs = 5_000;

/** Says that what the page shows may have changed meanwhile, for as long as the service does not answer. */
export function StaleNotice() {
  const awaySinceMs = useAwaySince();
  const isAway = awaySinceMs !== null;
  const wasAway = useRef(false);
  const queryClient = useQueryClient();
  // Any answer ends it. The page may have nothing to ask for.
  useQuery({
    queryKey: ['service'],
    queryFn: ({ signal }) => publicKeyfront.health.status({ signal }),
    enabled: isAway,
    refetchInterval: askAgainMs,
    gcTime: 0,
  });
  useEffect(() => {
    if (wasAway.current && !isAway) void queryClient.invalidateQueries();
    wasAway.current = isAway;
  }, [isAway, queryClient]);
  return (
    <div role="status" className={isAway ? classes.away : undefined}>
      {isAway && (
        <Notice icon="alert" tone="warn">
          <span>
            {texts.serviceHasNotAnsweredSince}
            <Moment time={new Date(awaySinceMs).toISOString()} />
            {texts.whatYouSeeMayHaveChanged}
          </span>
        </Notice>
      )}
    </div>
  );
}
