import { describeClientsAt } from '../../resources/clients/client-rules.ts';
import type { DescribeSnapshots } from '../../resources/events/describe-events.ts';
import { describeKeysAt } from '../../resources/keys/key-rules.ts';
import { describeNftSalesAt } from '../../resources/nft-sales/nft-sale-rules.ts';
import type { Marketplace } from '../../resources/nft-sales/typed-data.ts';
import { listOrdersAt } from '../../resources/orders/order-rules.ts';
import type { ProviderLinks } from '../../resources/providers/provider-links.ts';
import { listSalesAt } from '../../resources/sales/sale-rules.ts';
import { describeStrainsAt } from '../../resources/strains/strain-rules.ts';
import { describeTransactionsAt } from '../../resources/transactions/transaction-rules.ts';
import { listWebhooksAt } from '../../resources/webhooks/webhook-rules.ts';

interface EventDescriberDependencies {
  readonly kycLinks: ProviderLinks;
  readonly marketplace: Marketplace;
}

/** How each kind of resource appears in events. */
export function createEventDescribers({
  kycLinks,
  marketplace,
}: EventDescriberDependencies): Readonly<Record<string, DescribeSnapshots>> {
  return {
    client: (tx, snapshots) => describeClientsAt(tx, snapshots, kycLinks),
    order: listOrdersAt,
    payment: listOrdersAt,
    sale: listSalesAt,
    strain: describeStrainsAt,
    nft_sale: (tx, snapshots) => describeNftSalesAt(tx, snapshots, marketplace),
    nft: describeTransactionsAt,
    key: describeKeysAt,
    webhook: listWebhooksAt,
  };
}
