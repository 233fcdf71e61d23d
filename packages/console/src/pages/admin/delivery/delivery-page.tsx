import type { DeliveryCharge } from '@keyfront/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useEdited } from '../../../components/use-edited.ts';
import { nameCountry } from '../../../format/countries.ts';
import { formatMoney } from '../../../format/format-money.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { ChargeModal } from './charge-modal.tsx';

/** What the delivery to each country costs, and the tax that its prices contain. */
export function DeliveryPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'delivery-charges'],
    queryFn: ({ signal }) => getKeyfront().deliveryCharges.list({ signal }),
  });
  const [edited, setEdited] = useEdited('charge', data?.deliveryCharges);
  const columns: readonly Column<DeliveryCharge>[] = [
    { title: 'Country', render: ({ countryCode }) => nameCountry(countryCode) },
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
    { title: 'Tax', align: 'end', render: ({ taxRate }) => `${formatNumber(taxRate)}%` },
    { title: 'Changed', render: ({ updatedAt }) => <Moment time={updatedAt} />, hiddenBelow: 'narrow' },
    {
      title: 'Actions',
      align: 'end',
      render: (charge) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Edit ${nameCountry(charge.countryCode)} in ${charge.currency}`}
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
        description="Carts show a change at once. Placed orders keep their charge and their tax."
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
            Set a charge
          </Button>
        }
      />
      {error && !data ? (
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
