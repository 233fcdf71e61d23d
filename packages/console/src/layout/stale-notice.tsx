import { Alert } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Icon } from '../components/icon.tsx';
import { Moment } from '../components/moment.tsx';
import { publicKeyfront } from '../session/keyfront.ts';
import { useAwaySince } from '../session/service-state.ts';

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
    <div role="status">
      {isAway && (
        <Alert variant="default" color="orange.8" mb="md" icon={<Icon name="alert" />}>
          The service has not answered since <Moment time={new Date(awaySinceMs).toISOString()} />. What you
          see may have changed meanwhile. It is loaded again when the service is back.
        </Alert>
      )}
    </div>
  );
}
