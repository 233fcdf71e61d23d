import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { pageSettings } from '../../page-settings.ts';
import { texts } from '../../texts/marketplace.ts';
import { ListForSale } from './list-for-sale.tsx';
import { ListingPanel } from './listing-panel.tsx';
import { type MarketplaceTab, marketplaceTabs } from './marketplace-tabs.ts';
import { SalePanel } from './sale-panel.tsx';
import { TransactionPanel } from './transaction-panel.tsx';

/** Digital keys for sale: those of others and one's own. */
export function MarketplacePage() {
  const { tab = 'listings' } = useSearch({ from: '/shell/marketplace' });
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title={texts.marketplace}
        description={
          pageSettings.marketplaceContract === null
            ? texts.ownerOffersDigitalKeyWithSignature
            : texts.ownerOffersDigitalKeyWithSignatureKey
        }
        actions={<ListForSale />}
      />
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ to: '/marketplace', search: { tab: next as MarketplaceTab }, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {Object.entries(marketplaceTabs).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="listings">
          <ListingPanel />
        </Tabs.Panel>
        <Tabs.Panel value="sales">
          <SalePanel />
        </Tabs.Panel>
        <Tabs.Panel value="transactions">
          <TransactionPanel />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
