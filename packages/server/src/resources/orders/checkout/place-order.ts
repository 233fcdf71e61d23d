import { randomInt } from 'node:crypto';
import {
  type CreatedOrder,
  type NewOrder,
  type OrderWithLines,
  paysDirectly,
  type ShippingAddress,
} from '@keyfront/protocol';
import { nameCountry } from '@keyfront/validation/countries';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { formatCents, toAmount, toCents } from '../../../lib/amounts.ts';
import { ApiError, notFound, validationFailed } from '../../../lib/errors/api-error.ts';
import { throwClientNotInScope } from '../../clients/client-rules.ts';
import { computeDeliveryCents, computeTaxCents } from '../../delivery-charges/compute-delivery.ts';
import { openDirectCheckout, requirePaymentProvider } from '../../payments/payment-rules.ts';
import { checkReturnUrl, type LinkSettings } from '../../providers/return-url.ts';
import { isUsableAddress, readOrderAddress } from '../order-address.ts';
import { toLines } from '../to-lines.ts';
import { type CheckoutData, type CheckoutItem, findCheckoutData, insertOrder } from './checkout-queries.ts';
import { makeInvoiceNumber } from './invoice-number.ts';
import { type OrderedItems, readOrderedItems } from './ordered-items.ts';

/** The largest amount that the database column holds: twelve digits before the decimal point. */
const maxTotalCents = 99_999_999_999_999n;

/** Places an order. With direct payment, its checkout at the payment provider is opened in the same transaction. */
export async function placeOrder(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  request: NewOrder,
  payments: LinkSettings,
): Promise<CreatedOrder> {
  const { returnUrl } = request;
  if (!paysDirectly(request)) {
    if (returnUrl !== undefined) throw validationFailed(['returnUrl needs paymentFlow to be DIRECT']);
    return prepareOrder(tx, database, scope, request);
  }
  if (returnUrl !== undefined) checkReturnUrl(returnUrl, payments);
  requirePaymentProvider(payments);
  const order = await prepareOrder(tx, database, scope, request);
  return { ...order, payUrl: openDirectCheckout(tx, scope, order, returnUrl ?? null, payments) };
}

/**
 * Places an order at current prices: of the requested items, or of the cart. Validates the checkout data and queues all writes for
 * the commit, which succeeds only if the data is unchanged.
 */
async function prepareOrder(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  request: NewOrder,
): Promise<OrderWithLines> {
  const { clientId, note = null, externalReference = '' } = request;
  const requested = request.items ? readOrderedItems(request.items) : null;
  const address = request.shippingAddress ? readOrderAddress(request.shippingAddress) : null;
  const countryCode = address?.countryCode ?? null;
  const checkout = await findCheckoutData(
    tx,
    scope,
    clientId,
    countryCode,
    externalReference,
    requested?.quantities ?? null,
  );
  if (!checkout) {
    tx.requireOwnTransaction();
    return throwClientNotInScope(database, clientId);
  }
  if (checkout.isReferenceTaken) throw new ApiError('REFERENCE_TAKEN');
  const { orderId, placedAt, client, charges, taxRate } = checkout;
  const shipping = address ?? client.shipping;
  const items = validateCheckout(checkout, shipping, requested);
  const [{ currency }] = items;
  const subTotalCents = items.reduce(
    (sum, item) => sum + toCents(item.unitPrice) * BigInt(item.quantity),
    0n,
  );
  const deliveryCents = computeDeliveryCents(charges, currency, subTotalCents);
  const totalCents = subTotalCents + deliveryCents;
  if (totalCents > maxTotalCents) throw new ApiError('ORDER_TOO_LARGE');
  const taxCents = computeTaxCents(totalCents, taxRate);
  const invoiceNumber = makeInvoiceNumber(randomInt);
  const totalQuantity = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const metadata = withoutNulls(request.metadata ?? {});
  insertOrder(tx, scope, {
    id: orderId,
    clientId,
    invoiceNumber,
    totalAmount: formatCents(totalCents),
    deliveryCharge: formatCents(deliveryCents),
    taxRate,
    taxAmount: formatCents(taxCents),
    totalQuantity,
    currency,
    note,
    externalReference,
    metadata,
    shipping,
    items,
    cartId: checkout.cartId,
  });
  const { id, firstName, lastName, email } = client;
  return {
    id: orderId,
    invoiceNumber,
    subTotal: toAmount(subTotalCents),
    deliveryCharge: toAmount(deliveryCents),
    totalAmount: toAmount(totalCents),
    taxRate,
    taxAmount: toAmount(taxCents),
    paidAmount: 0,
    refundedAmount: 0,
    refundDue: 0,
    totalQuantity,
    currency,
    externalReference,
    metadata,
    orderStatus: 'PENDING',
    status: 'PENDING',
    paymentStatus: 'PENDING',
    adminApproval: 'PENDING',
    rejectionNote: null,
    note,
    shipping,
    createdAt: placedAt,
    updatedAt: placedAt,
    client: { id, firstName, lastName, email },
    nft: { tokenId: scope.tokenId },
    orderLines: toLines(orderId, items),
  };
}

/** In a new order there is nothing that null could remove. */
function withoutNulls(metadata: NonNullable<NewOrder['metadata']>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

type LocatedItem = CheckoutItem & { readonly locationId: string };

/** Throws the first failed precondition, always in this order. Returns the items, each with its location. */
function validateCheckout(
  { client, items }: CheckoutData,
  shipping: ShippingAddress,
  requested: OrderedItems | null,
): [LocatedItem, ...LocatedItem[]] {
  if (!client.isActive) throw new ApiError('CLIENT_NOT_ACTIVE');
  if (!client.isKycVerified) throw new ApiError('CLIENT_NOT_VERIFIED');
  if (client.adminApproval !== 'VERIFIED') throw new ApiError('CLIENT_NOT_APPROVED');
  if (requested && items.length < requested.quantities.size) throw notFound('Strain');
  if (items.length === 0) throw new ApiError('CART_EMPTY');
  if (!isUsableAddress(shipping)) throw new ApiError('SHIPPING_ADDRESS_MISSING');
  const [first, ...others] = items.map((item) => locate(item, shipping));
  if (!first) throw new ApiError('CART_EMPTY');
  for (const { name, isAvailable } of items) {
    if (!isAvailable) throw new ApiError('STRAIN_NOT_AVAILABLE', { message: `${name} is not available` });
  }
  for (const { strainId, name, unitPrice, currency } of items) {
    if (requested?.hasOtherPrice(strainId, toCents(unitPrice))) {
      throw new ApiError('PRICE_CHANGED', { message: `${name} costs ${unitPrice.toFixed(2)} ${currency}` });
    }
  }
  for (const { name, currency } of items) {
    if (currency === first.currency) continue;
    const holder = requested ? 'order' : 'cart';
    throw new ApiError('CURRENCY_MISMATCH', {
      message: `The ${holder} holds ${first.currency} and ${name} is sold in ${currency}: order them one after the other`,
    });
  }
  for (const { name, quantity, stock } of items) {
    if (stock < quantity) throw new ApiError('STOCK_TOO_LOW', { message: `${name} has only ${stock} left` });
  }
  return [first, ...others];
}

function locate(item: CheckoutItem, { countryCode }: ShippingAddress): LocatedItem {
  const { name, isSold, locationId } = item;
  if (isSold && locationId !== null) return Object.assign(item, { locationId });
  throw new ApiError('NOT_SOLD_IN_COUNTRY', {
    message: `${name} is not sold in ${nameCountry(countryCode)}`,
  });
}
