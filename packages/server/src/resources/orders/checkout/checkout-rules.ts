import { randomInt } from 'node:crypto';
import type { OrderLine, OrderWithLines } from '@keyfront/protocol';
import { formatCents, parseAmount, toAmount, toCents } from '../../../amounts.ts';
import { ApiError } from '../../../api-error.ts';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/scope.ts';
import type { RunInTransaction } from '../../../database/transaction.ts';
import { throwClientNotInScope } from '../../clients/client-rules.ts';
import { advanceSale } from '../../sales/sale-rules.ts';
import { type CheckoutData, type CheckoutItem, findCheckoutData, insertOrder } from './checkout-queries.ts';
import { makeInvoiceNumber } from './invoice-number.ts';

/** The largest amount that the database column holds: twelve digits before the decimal point. */
const maxTotalCents = 99_999_999_999_999n;

/**
 * Turns the cart of a client into an order at current prices. Validates the checkout data and queues all writes for the
 * commit, which succeeds only if the data is unchanged.
 */
export async function checkOutCart(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<OrderWithLines> {
  const checkout =
    (await findCheckoutData(run, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
  const currency = validateCheckout(checkout);
  const { orderId, placedAt, client, items } = checkout;
  const totalCents = items.reduce((sum, item) => sum + lineCents(item), 0n);
  if (totalCents > maxTotalCents) throw new ApiError('ORDER_TOO_LARGE');
  const invoiceNumber = makeInvoiceNumber(randomInt);
  const totalQuantity = items.reduce((sum, { quantity }) => sum + quantity, 0);
  insertOrder(run, scope, {
    id: orderId,
    clientId,
    invoiceNumber,
    totalAmount: formatCents(totalCents),
    totalQuantity,
    currency,
    items,
  });
  advanceSale(run, scope, { clientId, orderId });
  const { id, firstName, lastName, email } = client;
  return {
    id: orderId,
    invoiceNumber,
    totalAmount: toAmount(totalCents),
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

/** Throws the first failed precondition, always in this order. Returns the currency of the order. */
function validateCheckout({ client, items }: CheckoutData): string {
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

function lineCents({ unitPrice, quantity }: CheckoutItem): bigint {
  return toCents(unitPrice) * BigInt(quantity);
}

function describeLine(item: CheckoutItem): OrderLine {
  const { strainId, name, unitPrice, quantity } = item;
  return {
    strainId,
    strainName: name,
    unitPrice: parseAmount(unitPrice),
    quantity,
    lineAmount: toAmount(lineCents(item)),
  };
}
