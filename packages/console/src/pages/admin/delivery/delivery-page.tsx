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
import { locale } from '../../../format/locale.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-delivery.ts';
import { ChargeModal } from './charge-modal.tsx';

/** What the delivery to each country costs, and the tax that its prices contain. */
export function DeliveryPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'delivery-charges'],
    queryFn: ({ signal }) => getKeyfront().deliveryCharges.list({ signal }),
  });
  const [edited, setEdited] = useEdited('charge', data?.deliveryCharges);
  const rows = data?.deliveryCharges.toSorted(byCountry);
  const columns: readonly Column<DeliveryCharge>[] = [
    { title: texts.country, render: ({ countryCode }) => nameCountry(countryCode) },
    {
      title: texts.charge,
      align: 'end',
      render: ({ deliveryCharge, currency }) => formatMoney(deliveryCharge, currency),
    },
    {
      title: texts.freeFrom,
      align: 'end',
      render: ({ freeFrom, currency }) => (freeFrom === null ? texts.never : formatMoney(freeFrom, currency)),
    },
    { title: texts.tax, align: 'end', render: ({ taxRate }) => `${formatNumber(taxRate)}%` },
    { title: texts.changed, render: ({ updatedAt }) => <Moment time={updatedAt} />, hiddenBelow: 'narrow' },
    {
      title: texts.actions,
      align: 'end',
      render: (charge) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={texts.editCountryCodeInCurrency(nameCountry(charge.countryCode), charge.currency)}
          onClick={() => setEdited(charge)}
        >
          {texts.edit}
        </Button>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={texts.delivery}
        description={texts.cartsShowChangeAtOncePlaced}
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
            {texts.setCharge}
          </Button>
        }
      />
      {error && !data ? (
        <ErrorNotice title={texts.chargesCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel isFlush>
          {data?.deliveryCharges.length === 0 ? (
            <EmptyState icon="delivery" title={texts.deliveryIsFreeEverywhere}>
              {texts.setChargeForCountryToChange}
            </EmptyState>
          ) : (
            <DataTable caption={texts.deliveryCharges} columns={columns} rows={rows} keyOf={({ id }) => id} />
          )}
        </Panel>
      )}
      {edited && <ChargeModal charge={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

/** By the names that the page shows. The service sorts by codes. */
function byCountry(a: DeliveryCharge, b: DeliveryCharge): number {
  const countries = nameCountry(a.countryCode).localeCompare(nameCountry(b.countryCode), locale);
  return countries || a.currency.localeCompare(b.currency, locale);
}
