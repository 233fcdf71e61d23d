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
import { TokenPrice } from './token-price.tsx';

const pageSize = 30;

const typeLabels: Record<Transaction['type'], string> = {
  MINT: 'Minted',
  TRANSFER: 'Transferred',
  LIST: 'Listed',
  LIST_CANCEL: 'Listing cancelled',
  SALE: 'Sold',
};

const columns: readonly Column<Transaction>[] = [
  { title: 'What', render: ({ type }) => typeLabels[type] },
  { title: 'Digital key', render: ({ tokenId }) => `#${tokenId}` },
  {
    title: 'Price',
    render: ({ price, currency }) =>
      price && currency ? <TokenPrice price={price} currency={currency} /> : '–',
    align: 'end',
    hiddenBelow: 'narrow',
  },
  { title: 'From', render: ({ from }) => (from ? shortAddress(from) : '–'), hiddenBelow: 'medium' },
  { title: 'To', render: ({ to }) => (to ? shortAddress(to) : '–'), hiddenBelow: 'medium' },
  { title: 'When', render: ({ timestamp }) => <Moment time={timestamp} isRelative /> },
  {
    title: 'Transaction',
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
      errorTitle="The transactions could not be loaded"
      empty={
        <EmptyState icon="market" title="No transactions yet">
          Mints, transfers and sales of your digital keys appear here.
        </EmptyState>
      }
    >
      <DataTable caption="Transactions" columns={columns} rows={transactions} keyOf={({ id }) => id} />
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
