import { Type } from 'typebox';

/** What administrators say of a client or an order. */
export const approvals = ['PENDING', 'VERIFIED', 'REJECTED'] as const;
export type Approval = (typeof approvals)[number];

export const AdminApproval = (options: { readonly type?: 'string' } = {}) =>
  Type.Enum([...approvals], { description: 'What the administrators say of it', ...options });
