import type { CreatedOrder, Keyfront, NewOrder } from '../../packages/sdk/src/index.ts';
import type { DemoService } from './demo-service.ts';

interface DemoOrder extends Pick<NewOrder, 'externalReference' | 'metadata'> {
  readonly quantity?: number;
}

/** Places an order of something in stock for a client of the first holder of the demo. */
export async function placeDemoOrder(
  storefront: Keyfront,
  { holders }: DemoService['demo'],
  { quantity = 1, ...fields }: DemoOrder = {},
): Promise<CreatedOrder> {
  const { ready: clientId } = holders[0].clientIds;
  const { countryCode } = (await storefront.clients.get(clientId)).shipping;
  const { strains } = await storefront.strains.list({ countryCode, take: 50 });
  const strain = strains.find(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 5);
  return storefront.orders.create({ clientId, items: [{ strainId: strain?.id ?? '', quantity }], ...fields });
}
