import type { CheckoutStatus, KycStatus } from '@keyfront/protocol';
import type { DemoPage } from './demo-page.ts';

/** What the page of the identity provider shows. */
export interface DemoCheck {
  readonly name: string;
  readonly email: string;
  readonly status: KycStatus;
  readonly returnUrl: string | null;
}

/** What the page of the payment provider shows. */
export interface DemoPayment {
  readonly invoiceNumber: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: CheckoutStatus;
  readonly returnUrl: string | null;
}

type Described = Pick<DemoPage, 'title' | 'summary' | 'facts' | 'result' | 'returnUrl'> & {
  /** Whether the visitor can still choose. */
  readonly isOpen: boolean;
};

const kycResults: Readonly<Record<string, NonNullable<DemoPage['result']>>> = {
  VERIFIED: { text: 'The identity is verified.', tone: 'good' },
  REJECTED: { text: 'The identity check was rejected. A new link starts it again.', tone: 'bad' },
};

export const kycChoices = [
  { label: 'Verify', status: 'VERIFIED', isPrimary: true },
  { label: 'Reject', status: 'REJECTED', isPrimary: false },
] as const;

export function describeCheck({ name, email, status, returnUrl }: DemoCheck): Described {
  const result = kycResults[status];
  return {
    title: 'Prove your identity',
    summary: 'The shop asks its customers to prove who they are before they order.',
    facts: { Name: name, 'E-mail': email },
    isOpen: !result,
    ...(result ? { result, returnUrl } : {}),
  };
}

const paymentResults: Readonly<Record<string, NonNullable<DemoPage['result']>>> = {
  PAID: { text: 'The order is paid.', tone: 'good' },
  FAILED: { text: 'The payment failed. A new checkout lets you try again.', tone: 'bad' },
  REFUNDED: { text: 'The payment was refunded.', tone: 'neutral' },
  CANCELLED: { text: 'The shop has cancelled this checkout.', tone: 'neutral' },
  EXPIRED: { text: 'This link has expired. The shop can give you a new one.', tone: 'neutral' },
};

export const paymentChoices = [
  { label: 'Pay', status: 'PAID', isPrimary: true },
  { label: 'Let the payment fail', status: 'FAILED', isPrimary: false },
] as const;

export function describePayment({
  invoiceNumber,
  amount,
  currency,
  status,
  returnUrl,
}: DemoPayment): Described {
  const result = paymentResults[status];
  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
  return {
    title: 'Pay your order',
    summary: 'No card is needed here: choose how the payment ends.',
    facts: { Invoice: invoiceNumber, Amount: price },
    isOpen: !result,
    ...(result ? { result, returnUrl } : {}),
  };
}
