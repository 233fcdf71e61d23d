import type { WebhookDelivery } from '@keyfront/sdk';
import { Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { Drawer } from '../../components/drawer.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { texts } from '../../texts/webhooks.ts';
import classes from './delivery-drawer.module.css';
import { formatDuration } from './format-duration.ts';
import { RetryButton } from './retry-button.tsx';

interface DeliveryDrawerProps {
  readonly delivery: WebhookDelivery;
  /** Whether it may be sent again. */
  readonly isEnabled: boolean;
  readonly onClose: () => void;
}

/** What became of one delivery: when it was tried, how long that took, and what the endpoint has responded. */
export function DeliveryDrawer({ delivery, isEnabled, onClose }: DeliveryDrawerProps) {
  const bodyId = useId();
  const { status, eventId, attempts, attemptedAt, nextAttemptAt, responseStatus, durationMs } = delivery;
  return (
    <Drawer opened onClose={onClose} position="right" size={480} title={delivery.eventType}>
      <Stack>
        <FactList
          facts={{
            State: <StatusBadge state={status} />,
            Failure: delivery.failure,
            Response: responseStatus,
            Duration: durationMs === null ? null : formatDuration(durationMs),
            Attempts: attempts,
            'Last attempt': attemptedAt && <Moment time={attemptedAt} />,
            'Next attempt': nextAttemptAt && <Moment time={nextAttemptAt} />,
            Event: eventId ?? 'A test',
            Queued: <Moment time={delivery.createdAt} />,
          }}
        />
        {responseStatus !== null && (
          <div>
            <Text size="sm" c="dimmed" mb={6} id={bodyId}>
              {texts.beginningOfResponse}
            </Text>
            {delivery.responseBody ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than the box is scrolled, also by keyboard.
              <section className={classes.body} dir="auto" tabIndex={0} aria-labelledby={bodyId}>
                {delivery.responseBody}
              </section>
            ) : (
              <Text size="sm">{texts.itWasEmpty}</Text>
            )}
          </div>
        )}
        {isEnabled && (
          <Group justify="flex-end">
            <RetryButton delivery={delivery} />
          </Group>
        )}
      </Stack>
    </Drawer>
  );
}
