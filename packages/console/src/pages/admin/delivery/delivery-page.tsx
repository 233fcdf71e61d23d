import type { DeliveryCharge, DeliveryChargeSetting } from '@keyfront/sdk';
import { Button, Group, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { formatMoney } from '../../../format/format-money.ts';
import { issuesByField } from '../../../format/issues-by-field.ts';
import { getKeyfront } from '../../../session/keyfront.ts';

/** What the delivery to each country costs. */
export function DeliveryPage() {
  const [edited, setEdited] = useState<DeliveryCharge | 'new' | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'delivery-charges'],
    queryFn: ({ signal }) => getKeyfront().deliveryCharges.list({ signal }),
  });
  const columns: readonly Column<DeliveryCharge>[] = [
    { title: 'Country', render: ({ countryCode }) => countryCode },
    {
      title: 'Charge',
      align: 'end',
      render: ({ deliveryCharge, currency }) => formatMoney(deliveryCharge, currency),
    },
    {
      title: 'Free from',
      align: 'end',
      render: ({ freeFrom, currency }) => (freeFrom === null ? 'Never' : formatMoney(freeFrom, currency)),
    },
    { title: 'Changed', render: ({ updatedAt }) => <Moment time={updatedAt} />, hiddenBelow: 'narrow' },
    {
      title: 'Actions',
      align: 'end',
      render: (charge) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Edit ${charge.countryCode} in ${charge.currency}`}
          onClick={() => setEdited(charge)}
        >
          Edit
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Delivery"
        description="Carts show a change at once. Placed orders keep their charge."
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
            Set a charge
          </Button>
        }
      />
      {error ? (
        <ErrorNotice title="The charges could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel isFlush>
          {data?.deliveryCharges.length === 0 ? (
            <EmptyState icon="delivery" title="Delivery is free everywhere">
              Set a charge for a country to change that.
            </EmptyState>
          ) : (
            <DataTable
              caption="Delivery charges"
              columns={columns}
              rows={data?.deliveryCharges}
              keyOf={({ id }) => id}
            />
          )}
        </Panel>
      )}
      {edited && <ChargeModal charge={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

interface ChargeModalProps {
  readonly charge: DeliveryCharge | null;
  readonly onClose: () => void;
}

function ChargeModal({ charge, onClose }: ChargeModalProps) {
  const queryClient = useQueryClient();
  const set = useMutation({
    mutationFn: (setting: DeliveryChargeSetting) => getKeyfront().admin.deliveryCharges.set(setting),
    onSuccess: async ({ countryCode }) => {
      showSuccess(`The charge for ${countryCode} is set`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const { byField } = issuesByField(set.error);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    set.mutate({
      countryCode: charge?.countryCode ?? text('countryCode'),
      currency: charge?.currency ?? text('currency'),
      deliveryCharge: text('deliveryCharge'),
      freeFrom: text('freeFrom') || null,
    });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={charge ? `Delivery to ${charge.countryCode}` : 'Set a delivery charge'}
    >
      <form onSubmit={onSubmit}>
        <Stack>
          {set.error && byField.size === 0 && (
            <ErrorNotice title="The charge was not set" error={set.error} />
          )}
          {!charge && (
            <SimpleGrid cols={2}>
              <TextInput
                name="countryCode"
                label="Country code"
                placeholder="PRT"
                required
                error={byField.get('countryCode')}
              />
              <TextInput
                name="currency"
                label="Currency"
                placeholder="EUR"
                required
                error={byField.get('currency')}
              />
            </SimpleGrid>
          )}
          <SimpleGrid cols={2}>
            <TextInput
              name="deliveryCharge"
              label="Charge"
              inputMode="decimal"
              required
              defaultValue={charge?.deliveryCharge ?? ''}
              error={byField.get('deliveryCharge')}
            />
            <TextInput
              name="freeFrom"
              label="Free from"
              description="Empty: never"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              inputMode="decimal"
              defaultValue={charge?.freeFrom ?? ''}
              error={byField.get('freeFrom')}
            />
          </SimpleGrid>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={set.isPending}>
              Set
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
