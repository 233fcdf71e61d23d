import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { useRequestedForm } from '../../components/use-requested-form.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';
import { WebhookFormDrawer, webhookDraft } from './webhook-form-drawer.tsx';
import { WebhookSecretModal } from './webhook-secret-modal.tsx';
import { WebhookTable } from './webhook-table.tsx';

/** Where the service sends the events of the digital key. */
export function WebhooksPage() {
  const [isAdding, adding] = useDisclosure(readDraft(webhookDraft()) !== null);
  useRequestedForm(adding.open);
  const [secret, setSecret] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => getKeyfront().webhooks.list({ signal }),
  });
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {texts.addWebhookButton}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={texts.webhooks}
        description={texts.serviceSendsEventsToTheseAddresses}
        actions={add}
      />
      {error && !data ? (
        <ErrorNotice title={texts.webhooksCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel isFlush>
          {data?.webhooks.length === 0 ? (
            <EmptyState icon="webhooks" title={texts.noWebhooksYet} action={add}>
              {texts.addAddressOfYourStorefrontAnd}
            </EmptyState>
          ) : (
            <WebhookTable webhooks={data?.webhooks} />
          )}
        </Panel>
      )}
      <WebhookFormDrawer isOpen={isAdding} onClose={adding.close} onCreated={setSecret} />
      {secret && <WebhookSecretModal secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
