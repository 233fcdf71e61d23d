import { type Static, Type } from 'typebox';
import { AdminClientChange } from './clients.ts';
import { KycReport } from './kyc.ts';
import { AdminOrderChange } from './orders.ts';
import { PaymentReport } from './payments.ts';
import { TokenId } from './values.ts';

/** What a holder decides in a sandbox in place of an administrator or a provider. */

const { adminApproval, rejectionNote } = AdminClientChange.properties;

export const SandboxClientChange = Type.Object(
  { adminApproval, rejectionNote },
  { title: 'SandboxClientChange', minProperties: 1 },
);
export type SandboxClientChange = Static<typeof SandboxClientChange>;

// A payment is reported, as the provider does it.
const { paymentStatus: _paymentStatus, ...orderFields } = AdminOrderChange.properties;

export const SandboxOrderChange = Type.Object(orderFields, { title: 'SandboxOrderChange', minProperties: 1 });
export type SandboxOrderChange = Static<typeof SandboxOrderChange>;

export const SandboxKycReport = Type.Object(
  { status: KycReport.properties.status },
  { title: 'SandboxKycReport' },
);
export type SandboxKycReport = Static<typeof SandboxKycReport>;

export const SandboxPaymentReport = Type.Object(
  { status: PaymentReport.properties.status },
  { title: 'SandboxPaymentReport' },
);
export type SandboxPaymentReport = Static<typeof SandboxPaymentReport>;

export const SandboxReset = Type.Object(
  { tokenId: TokenId('The digital key of the caller, as a confirmation') },
  { title: 'SandboxReset' },
);
export type SandboxReset = Static<typeof SandboxReset>;

const Count = (what: string) => Type.Integer({ minimum: 0, description: `How many ${what} were deleted` });

export const SandboxResetResult = Type.Object(
  {
    tokenId: TokenId('The digital key that was reset'),
    clients: Count('clients'),
    orders: Count('orders'),
    events: Count('events'),
    webhooks: Count('webhooks'),
  },
  { title: 'SandboxResetResult' },
);
export type SandboxResetResult = Static<typeof SandboxResetResult>;
