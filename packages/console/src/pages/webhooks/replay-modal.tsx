import type { Webhook } from '@keyfront/sdk';
import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { DialogForm } from '../../components/dialog-form.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Modal } from '../../components/modal.tsx';
import { showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { formatMoment } from '../../format/format-moment.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';

interface ReplayModalProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

const hourMs = 3_600_000;

/** Sends the events of a time again: those since the webhook began to fail, or of the last hour, unless another time is chosen. */
export function ReplayModal({ webhook, onClose }: ReplayModalProps) {
  const queryClient = useQueryClient();
  const replay = useSingleMutation({
    mutationFn: (since: string) => getKeyfront().webhooks.replay(webhook.id, { since }),
    onSuccess: async (_webhook, since) => {
      showSuccess(texts.eventsSinceSinceAreOnTheir(formatMoment(since)));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const start = webhook.failingSince ? Date.parse(webhook.failingSince) : Date.now() - hourMs;
  return (
    <Modal opened onClose={onClose} title={texts.replayEvents}>
      <DialogForm
        submitLabel={texts.replay}
        isPending={replay.isPending}
        onCancel={onClose}
        onSubmit={(form) => replay.mutate(new Date(String(form.get('since'))).toISOString())}
      >
        {replay.error && <ErrorNotice title={texts.nothingWasReplayed} error={replay.error} />}
        <Text size="sm">{texts.everyEventSinceThisTimeThat}</Text>
        <TextInput
          name="since"
          type="datetime-local"
          label={texts.since}
          description={texts.inYourTimeZone}
          required
          defaultValue={toLocalTime(start)}
          max={toLocalTime(Date.now())}
        />
      </DialogForm>
    </Modal>
  );
}

/** `2026-11-15T09:30` in the zone of the visitor, as the field takes it. The minute has begun already. */
function toLocalTime(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
