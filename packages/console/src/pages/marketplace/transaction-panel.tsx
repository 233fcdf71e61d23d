import type { Transaction } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { shortAddress } from '../../format/short-address.ts';
import { pageSettings } from '../../page-settings.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/marketplace.ts';
import { TokenPrice } from './token-price.tsx';

const pageSize = 30;

const typeLabels: Record<Transaction['type'], string> = {
  MINT: texts.minted,
  TRANSFER: texts.transferred,
  LIST: texts.listed,
  LIST_CANCEL: texts.listingCancelled,
  SALE: texts.sold,
};

const columns: readonly Column<Transaction>[] = [
  { title: texts.what, render: ({ type }) => typeLabels[type] },
  { title: texts.digitalKey, render: ({ tokenId }) => `#${tokenId}` },
  {
    title: texts.price,
    render: ({ price, currency }) =>
      price && currency ? <TokenPrice price={price} currency={currency} /> : '–',
    align: 'end',
    hiddenBelow: 'narrow',
  },
  { title: texts.from, render: ({ from }) => (from ? shortAddress(from) : '–'), hiddenBelow: 'medium' },
  { title: texts.to, render: ({ to }) => (to ? shortAddress(to) : '–'), hiddenBelow: 'medium' },
  { title: texts.when, render: ({ timestamp }) => <Moment time={timestamp} isRelative /> },
  {
    title: texts.transaction,
    render: ({ txHash }) => <TransactionLink txHash={txHash} />,
    hiddenBelow: 'narrow',
  },
];

/** What has happened to the digital keys of the wallet. */
export function TransactionPanel() {
  const query = useInfiniteQuery({
    queryKey: ['transactions', 'list'],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().transactions.list({ take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
  });
  const transactions = query.data?.pages.flatMap((page) => page.transactions);
  return (
    <ListPanel
      query={query}
      rows={transactions}
      errorTitle={texts.transactionsCouldNotBeLoaded}
      empty={
        <EmptyState icon="market" title={texts.noTransactionsYet}>
          {texts.mintsTransfersAndSalesOfYour}
        </EmptyState>
      }
    >
      <DataTable caption={texts.transactions} columns={columns} rows={transactions} keyOf={({ id }) => id} />
    </ListPanel>
  );
}

function TransactionLink({ txHash }: { readonly txHash: string | null }) {
  if (txHash === null) return '–';
  const { explorerUrl } = pageSettings;
  if (explorerUrl === null) return <span title={txHash}>{shortAddress(txHash)}</span>;
  return (
    <Anchor href={`${explorerUrl}/tx/${txHash}`} title={txHash} target="_blank" rel="noreferrer" size="sm">
      {shortAddress(txHash)}
    </Anchor>
  );
}
