import { randomInt } from 'node:crypto';
import type { OrderLine, OrderWithLines } from '@keyfront/protocol';
import { ApiError } from '../../../api-error.ts';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/scope.ts';
import type { RunInTransaction } from '../../../database/transaction.ts';
import { formatCents, readCents } from '../../../money.ts';
import { refuseClient } from '../../clients/client-rules.ts';
import { advanceSale } from '../../sales/order-sale-rules.ts';
import { type CartItemFacts, findOrderFacts, type OrderFacts, writeOrder } from './checkout-queries.ts';
import { makeInvoiceNumber } from './invoice-number.ts';

/** What the database holds of an amount: twelve digits before the point. */
const largestCents = 99_999_999_999_999n;

/**
 * Turns the client's cart into an order at the prices of this moment. Reads the facts, judges them, and leaves all that
 * is to be written to the commit, which holds only if the facts still do.
 */
export async function placeOrder(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<OrderWithLines> {
  const facts = (await findOrderFacts(run, scope, clientId)) ?? (await refuseClient(database, clientId));
  const currency = judge(facts);
  const { orderId, placedAt, client, items } = facts;
  const totalCents = items.reduce((sum, item) => sum + lineCents(item), 0n);
  if (totalCents > largestCents) throw new ApiError('ORDER_TOO_LARGE');
  const invoiceNumber = makeInvoiceNumber(randomInt);
  const totalAmount = formatCents(totalCents);
  const totalQuantity = items.reduce((sum, { quantity }) => sum + quantity, 0);
  writeOrder(run, scope, {
    id: orderId,
    clientId,
    invoiceNumber,
    totalAmount,
    totalQuantity,
    currency,
    items,
  });
  advanceSale(run, scope, { clientId, orderId });
  const { id, firstName, lastName, email } = client;
  return {
    id: orderId,
    invoiceNumber,
    totalAmount,
    totalQuantity,
    currency,
    orderStatus: 'PENDING',
    paymentStatus: 'PENDING',
    adminApproval: 'PENDING',
    rejectionNote: null,
    createdAt: placedAt,
    updatedAt: placedAt,
    client: { id, firstName, lastName, email },
    nft: { tokenId: scope.tokenId },
    lines: items.map(describeLine),
  };
}

/** Whether the client may order what is in the cart, always asked in this order. Gives the currency of the order. */
function judge({ client, items }: OrderFacts): string {
  if (!client.isActive) throw new ApiError('CLIENT_NOT_ACTIVE');
  if (!client.isKycVerified) throw new ApiError('CLIENT_NOT_VERIFIED');
  if (client.adminApproval !== 'VERIFIED') throw new ApiError('CLIENT_NOT_APPROVED');
  const [first] = items;
  if (!first) throw new ApiError('CART_EMPTY');
  for (const { name, isAvailable } of items) {
    if (!isAvailable) throw new ApiError('STRAIN_NOT_AVAILABLE', { message: `${name} is not available` });
  }
  for (const { name, currency } of items) {
    if (currency === first.currency) continue;
    throw new ApiError('CURRENCY_MISMATCH', {
      message: `The cart holds ${first.currency} and ${name} is sold in ${currency}: order them one after the other`,
    });
  }
  for (const { name, quantity, stock } of items) {
    if (stock < quantity) throw new ApiError('STOCK_TOO_LOW', { message: `${name} has only ${stock} left` });
  }
  return first.currency;
}

function lineCents({ unitPrice, quantity }: CartItemFacts): bigint {
  return readCents(unitPrice) * BigInt(quantity);
}

function describeLine(item: CartItemFacts): OrderLine {
  const { strainId, name, unitPrice, quantity } = item;
  return { strainId, strainName: name, unitPrice, quantity, lineAmount: formatCents(lineCents(item)) };
}
