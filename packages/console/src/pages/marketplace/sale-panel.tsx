import type { NftSale } from '@keyfront/sdk';
import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { StepText } from './step-text.tsx';
import { TokenPrice } from './token-price.tsx';
import { cancelSale, listSale } from './trade.ts';

const pageSize = 30;

const columns: readonly Column<NftSale>[] = [
  { title: 'Digital key', render: ({ tokenId }) => `#${tokenId}` },
  {
    title: 'Price',
    render: ({ price, currency }) => <TokenPrice price={price} currency={currency} />,
    align: 'end',
  },
  { title: 'State', render: ({ state }) => <StatusBadge state={state} /> },
  { title: 'Ends', render: ({ expiresAt }) => <Moment time={expiresAt} />, hiddenBelow: 'medium' },
  {
    title: 'Changed',
    render: ({ updatedAt }) => <Moment time={updatedAt} isRelative />,
    hiddenBelow: 'narrow',
  },
  { title: 'Actions', render: (sale) => <SaleActions sale={sale} />, align: 'end' },
];

/** The sales of the primary digital key. */
export function SalePanel() {
  const query = useInfiniteQuery({
    queryKey: ['nftSales', 'list'],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().nftSales.list({ take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
  });
  const sales = query.data?.pages.flatMap((page) => page.sales);
  return (
    <ListPanel
      query={query}
      rows={sales}
      errorTitle="The sales could not be loaded"
      empty={
        <EmptyState icon="market" title="You have offered nothing">
          List the primary digital key for sale, or choose another one in the header first.
        </EmptyState>
      }
    >
      <DataTable
        caption="Your sales"
        columns={columns}
        rows={sales}
        keyOf={({ id }) => id}
        skeletonRows={4}
      />
    </ListPanel>
  );
}

function SaleActions({ sale }: { readonly sale: NftSale }) {
  const queryClient = useQueryClient();
  const [step, setStep] = useState<string | null>(null);
  const onSettled = () => {
    setStep(null);
    return Promise.all([
      queryClient.invalidateQueries({ queryKey: ['nftSales'] }),
      queryClient.invalidateQueries({ queryKey: ['listings'] }),
    ]);
  };
  const sign = useSingleMutation({
    mutationFn: () => (sale.state === 'DRAFT' ? listSale : cancelSale)(sale, setStep),
    onSuccess: ({ tokenId, state }) =>
      showSuccess(`Digital key ${tokenId} is ${state === 'LISTED' ? 'for sale' : 'no longer for sale'}`),
    onError: (error) =>
      showFailure(
        sale.state === 'DRAFT' ? 'The digital key is not for sale' : 'The sale is not cancelled',
        error,
      ),
    onSettled,
  });
  const withdraw = useSingleMutation({
    mutationFn: () => getKeyfront().nftSales.withdraw(sale.id),
    onError: (error) => showFailure('The draft was not withdrawn', error),
    onSettled,
  });
  if (sale.state !== 'DRAFT' && sale.state !== 'LISTED') return null;
  return (
    <Group gap={8} justify="flex-end" wrap="nowrap">
      <StepText step={step} />
      <Button variant="default" size="compact-sm" loading={sign.isPending} onClick={() => sign.mutate()}>
        {sale.state === 'DRAFT' ? 'Sign' : 'Cancel sale'}
      </Button>
      {sale.state === 'DRAFT' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate()}
        >
          Withdraw
        </Button>
      )}
    </Group>
  );
}
