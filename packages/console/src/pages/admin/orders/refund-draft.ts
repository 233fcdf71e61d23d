import type { AdminOrderDetails, NewRefund } from '@keyfront/sdk';
import { readCents, toCents } from '../../../format/read-cents.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { leftToRefund, priceOf, readQuantities, refundableCents } from './order-rest.ts';

/** The ways to say what is refunded. */
export const refundKinds = {
  everything: texts.everythingLeft,
  lines: texts.units,
  amount: texts.amount,
} as const;

/** A refund as it is filled in. */
export interface RefundDraft {
  readonly kind: keyof typeof refundKinds;
  readonly quantities: Readonly<Record<string, string>>;
  readonly amount: string;
  readonly reason: string;
  readonly isRestocked: boolean;
}

/** What a draft says, or what is missing. */
export type ReadRefund =
  | { readonly ok: true; readonly refund: NewRefund; readonly cents: number }
  | { readonly ok: false; readonly problem: string; readonly cents: number | null };

/** Begins with what is due: everything of a cancelled order, and the second payment of one that was paid twice. */
export function firstDraft(order: AdminOrderDetails): RefundDraft {
  const dueCents = toCents(order.refundDue);
  const isPartDue = dueCents > 0 && dueCents < refundableCents(order);
  return {
    kind: isPartDue ? 'amount' : 'everything',
    quantities: {},
    amount: isPartDue ? (dueCents / 100).toFixed(2) : '',
    reason: '',
    isRestocked: false,
  };
}

/** Reads a draft by the rules of the service, so that nobody confirms what it refuses. */
export function readRefund(order: AdminOrderDetails, draft: RefundDraft): ReadRefund {
  const leftCents = refundableCents(order);
  const reason = draft.reason.trim();
  const isRestocked = draft.isRestocked && order.orderStatus !== 'CANCELLED';
  const restock = isRestocked ? { restock: true } : {};
  const problem = (text: string, cents: number | null = null): ReadRefund => ({
    ok: false,
    problem: text,
    cents,
  });
  const finish = (refund: Omit<NewRefund, 'reason'>, cents: number): ReadRefund => {
    if (cents > leftCents) return problem(texts.thatIsMoreThanIsLeft, cents);
    if (reason === '') return problem(texts.sayWhy, cents);
    return { ok: true, refund: { ...refund, reason }, cents };
  };
  if (draft.kind === 'amount') {
    const cents = readCents(draft.amount);
    if (cents === null || cents === 0) return problem(texts.sayHowMuch);
    return finish({ amount: (cents / 100).toFixed(2) }, cents);
  }
  if (draft.kind === 'lines') {
    const orderLines = readQuantities(leftToRefund(order), draft.quantities);
    if (orderLines === null) return problem(texts.refundUnitsMissing);
    return finish({ orderLines, ...restock }, priceOf(order.orderLines, orderLines));
  }
  return finish(restock, leftCents);
}
