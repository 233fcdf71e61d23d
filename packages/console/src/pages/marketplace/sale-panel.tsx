import type { NftSale } from '@keyfront/sdk';
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/marketplace.ts';
import { StepText } from './step-text.tsx';
import { TokenPrice } from './token-price.tsx';
import { cancelSale, listSale } from './trade.ts';

const pageSize = 30;

const columns: readonly Column<NftSale>[] = [
  { title: texts.digitalKey, render: ({ tokenId }) => `#${tokenId}` },
  {
    title: texts.price,
    render: ({ price, currency }) => <TokenPrice price={price} currency={currency} />,
    align: 'end',
  },
  { title: texts.state, render: ({ state }) => <StatusBadge state={state} /> },
  { title: texts.ends, render: ({ expiresAt }) => <Moment time={expiresAt} />, hiddenBelow: 'medium' },
  {
    title: texts.changed,
    render: ({ updatedAt }) => <Moment time={updatedAt} isRelative />,
    hiddenBelow: 'narrow',
  },
  { title: texts.actions, render: (sale) => <SaleActions sale={sale} />, align: 'end' },
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
      errorTitle={texts.salesCouldNotBeLoaded}
      empty={
        <EmptyState icon="market" title={texts.youHaveOfferedNothing}>
          {texts.listPrimaryDigitalKeyForSale}
        </EmptyState>
      }
    >
      <DataTable
        caption={texts.yourSales}
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
  const [isAsking, asking] = useDisclosure();
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
      showSuccess(texts.digitalKeyTokenIdIs(tokenId, state === 'LISTED' ? 'for sale' : 'no longer for sale')),
    onError: (error) =>
      showFailure(sale.state === 'DRAFT' ? texts.digitalKeyIsNotForSale : texts.saleIsNotCancelled, error),
    onSettled,
  });
  const withdraw = useSingleMutation({
    mutationFn: () => getKeyfront().nftSales.withdraw(sale.id),
    onError: (error) => showFailure(texts.draftWasNotWithdrawn, error),
    onSettled,
  });
  if (sale.state !== 'DRAFT' && sale.state !== 'LISTED') return null;
  return (
    <Group gap={8} justify="flex-end">
      <StepText step={step} />
      <Button
        variant="default"
        size="compact-sm"
        loading={sign.isPending}
        onClick={sale.state === 'DRAFT' ? () => sign.mutate() : asking.open}
      >
        {sale.state === 'DRAFT' ? texts.sign : texts.cancelSale}
      </Button>
      {sale.state === 'DRAFT' && (
        <Button
          variant="default"
          size="compact-sm"
          loading={withdraw.isPending}
          onClick={() => withdraw.mutate()}
        >
          {texts.withdraw}
        </Button>
      )}
      {isAsking && (
        <ConfirmModal
          title={texts.cancelSaleOf(sale.tokenId)}
          confirmLabel={texts.cancelSale}
          onClose={asking.close}
          onConfirm={() => sign.mutate()}
        >
          {texts.cancelledSaleCannotBeOpenedAgain}
        </ConfirmModal>
      )}
    </Group>
  );
}
