import classes from './status-badge.module.css';

type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

/** The states of all resources. The names of orders, payments and approvals are in `format/state-names.ts`. */
const states: Record<string, { readonly label: string; readonly tone: Tone }> = {
  PENDING: { label: 'Pending', tone: 'warn' },
  PROCESSING: { label: 'Processing', tone: 'info' },
  SHIPPED: { label: 'Shipped', tone: 'info' },
  DELIVERED: { label: 'Delivered', tone: 'good' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  PAID: { label: 'Paid', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  REFUNDED: { label: 'Refunded', tone: 'neutral' },
  EXPIRED: { label: 'Expired', tone: 'neutral' },
  VERIFIED: { label: 'Verified', tone: 'good' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
  ACTIVE: { label: 'Active', tone: 'good' },
  INACTIVE: { label: 'Inactive', tone: 'neutral' },
  REVOKED: { label: 'Revoked', tone: 'neutral' },
  LEADS: { label: 'Lead', tone: 'info' },
  ONGOING: { label: 'Ongoing', tone: 'warn' },
  CLOSED: { label: 'Closed', tone: 'good' },
  DRAFT: { label: 'Draft', tone: 'neutral' },
  LISTED: { label: 'Listed', tone: 'info' },
  SOLD: { label: 'Sold', tone: 'good' },
  IN_STOCK: { label: 'In stock', tone: 'good' },
  LOW_STOCK: { label: 'Low stock', tone: 'warn' },
  OUT_OF_STOCK: { label: 'Out of stock', tone: 'bad' },
};

function stateLabel(state: string): string {
  return states[state]?.label ?? state;
}

/** A state as a coloured word. The word alone says it too. */
export function StatusBadge({ state, label }: { readonly state: string; readonly label?: string }) {
  return (
    <span className={classes.badge} data-tone={states[state]?.tone ?? 'neutral'}>
      {label ?? stateLabel(state)}
    </span>
  );
}
