import { orderNames, paymentNames } from '../format/state-names.ts';
import { texts } from '../texts/components.ts';
import classes from './status-badge.module.css';

/** What a colour says. `accent`: somebody else has to do something. */
export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent';

/** How each state is called. An approval has names of its own. */
const labels: Readonly<Record<string, string>> = {
  ...orderNames,
  ...paymentNames,
  EXPIRED: texts.expired,
  VERIFIED: texts.verified,
  REJECTED: texts.rejected,
  ACTIVE: texts.active,
  INACTIVE: texts.inactive,
  REVOKED: texts.revoked,
  LEADS: texts.lead,
  ONGOING: texts.ongoing,
  CLOSED: texts.closed,
  DRAFT: texts.draft,
  LISTED: texts.listed,
  SOLD: texts.sold,
  IN_STOCK: texts.inStock,
  LOW_STOCK: texts.lowStock,
  OUT_OF_STOCK: texts.outOfStock,
};

const tones: Readonly<Record<string, Tone>> = {
  PENDING: 'warn',
  PROCESSING: 'info',
  SHIPPED: 'info',
  DELIVERED: 'good',
  CANCELLED: 'neutral',
  PAID: 'good',
  FAILED: 'bad',
  REFUNDED: 'neutral',
  EXPIRED: 'neutral',
  VERIFIED: 'good',
  REJECTED: 'bad',
  ACTIVE: 'good',
  INACTIVE: 'neutral',
  REVOKED: 'neutral',
  LEADS: 'info',
  ONGOING: 'warn',
  CLOSED: 'good',
  DRAFT: 'neutral',
  LISTED: 'info',
  SOLD: 'good',
  IN_STOCK: 'good',
  LOW_STOCK: 'warn',
  OUT_OF_STOCK: 'bad',
};

interface StatusBadgeProps {
  readonly state: string;
  readonly label?: string;
}

/** A state as a coloured word. The word alone says it too. */
export function StatusBadge({ state, label }: StatusBadgeProps) {
  return <ToneBadge tone={tones[state] ?? 'neutral'} label={label ?? labels[state] ?? state} />;
}

export function ToneBadge({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {label}
    </span>
  );
}
