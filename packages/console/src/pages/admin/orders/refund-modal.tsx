import type { AdminOrderDetails, NewRefund } from '@keyfront/sdk';
import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { SegmentedChoice } from '../../../components/segmented-choice.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { isRefusal, useIdempotencyKey } from '../../../components/use-idempotency-key.ts';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import { readCents } from '../../../format/read-cents.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { LineQuantities } from './line-quantities.tsx';
import { leftToRefund, refundableCents } from './order-rest.ts';
import { firstDraft, type ReadRefund, type RefundDraft, readRefund, refundKinds } from './refund-draft.ts';
import classes from './refund-modal.module.css';

interface RefundModalProps {
  /** As it was when the dialog was opened. */
  readonly order: AdminOrderDetails;
  readonly onClose: () => void;
}

/** Refunds an order in two steps: what and why, and then the amount once more. */
export function RefundModal({ order, onClose }: RefundModalProps) {
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(() => firstDraft(order));
  /** What was typed to confirm the draft; null before. */
  const [typed, setTyped] = useState<string | null>(null);
  const read = readRefund(order, draft);
  const amount = formatMoney((read.cents ?? 0) / 100, order.currency);
  // Also for another draft, as long as nobody knows what became of the first.
  const [idempotencyKey, renewAfter] = useIdempotencyKey();
  const send = useSingleMutation({
    mutationFn: (refund: NewRefund) =>
      getKeyfront().admin.orders.refund(order.id, refund, { idempotencyKey }),
    onSuccess: async () => {
      showSuccess(texts.amountOfInvoiceNumberAreRefunded(amount, order.invoiceNumber));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
    onError: renewAfter,
  });
  const isConfirming = typed !== null && read.ok;
  const onSubmit = () => {
    if (isConfirming) send.mutate(read.refund);
    else setTyped('');
  };
  const onBack = () => {
    setTyped(null);
    send.reset();
  };
  return (
    <FormModal
      title={texts.refundInvoiceNumber(order.invoiceNumber)}
      submitLabel={isConfirming ? texts.refundAmount(amount) : texts.continue}
      isFinal={isConfirming}
      isPending={send.isPending}
      isDisabled={isConfirming ? readCents(typed) !== read.cents : !read.ok}
      onBack={isConfirming ? onBack : undefined}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      {/* Stays in the form, which knows by its fields that something was filled in. */}
      <div hidden={isConfirming}>
        <Draft order={order} draft={draft} read={read} onChange={setDraft} />
      </div>
      {isConfirming && (
        <>
          {send.error && (
            <ErrorNotice
              title={isRefusal(send.error) ? texts.nothingWasRefunded : texts.refundUnanswered}
              error={send.error}
            />
          )}
          <div>
            <div className={classes.amount}>{amount}</div>
            <Text size="sm" className={classes.summary}>
              {texts.goBackTo}
              <bdi>{fullName(order.client)}</bdi>.{read.refund.restock && texts.theUnitsComeBackToTheStock}
              {texts.refundCannotBeTakenBack}
            </Text>
            <Text size="sm" c="dimmed" className={classes.summary}>
              {texts.reasonGiven}
              <bdi>{read.refund.reason}</bdi>
            </Text>
          </div>
          <TextInput
            autoFocus
            label={texts.typePlainToConfirm((read.cents / 100).toFixed(2))}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </>
      )}
    </FormModal>
  );
}

interface DraftProps {
  readonly order: AdminOrderDetails;
  readonly draft: RefundDraft;
  readonly read: ReadRefund;
  readonly onChange: (draft: RefundDraft) => void;
}

function Draft({ order, draft, read, onChange }: DraftProps) {
  const change = (changed: Partial<RefundDraft>) => onChange({ ...draft, ...changed });
  const money = (cents: number) => formatMoney(cents / 100, order.currency);
  // The stock of a cancelled order is back already.
  const canRestock = draft.kind !== 'amount' && order.orderStatus !== 'CANCELLED';
  return (
    <Stack>
      <Text size="sm">
        {texts.paidAndNotRefunded}
        <strong>{money(refundableCents(order))}</strong>
        {texts.refundMoneyHint}
      </Text>
      <SegmentedChoice
        label={texts.whatToRefund}
        isWide
        value={draft.kind}
        onChange={(kind) => change({ kind })}
        options={Object.entries(refundKinds).map(([value, label]) => ({
          value: value as RefundDraft['kind'],
          label,
        }))}
      />
      {draft.kind === 'lines' && (
        <LineQuantities
          rest={leftToRefund(order)}
          quantities={draft.quantities}
          onChange={(quantities) => change({ quantities })}
        />
      )}
      {draft.kind === 'amount' && (
        <TextInput
          name="amount"
          label={texts.amountInCurrency(order.currency)}
          inputMode="decimal"
          value={draft.amount}
          onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
        />
      )}
      <Textarea
        name="reason"
        label={texts.reason}
        required
        maxLength={500}
        autosize
        minRows={2}
        value={draft.reason}
        onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
      />
      {canRestock && (
        <Checkbox
          name="restock"
          label={texts.unitsComeBackToStock}
          checked={draft.isRestocked}
          onChange={({ currentTarget }) => change({ isRestocked: currentTarget.checked })}
        />
      )}
      <Text size="sm" className={classes.outcome} role="status">
        {read.cents !== null && (
          <>
            {texts.refundLabel}
            <strong>{money(read.cents)}</strong>
            {!read.ok && '. '}
          </>
        )}
        {!read.ok && read.problem}
      </Text>
    </Stack>
  );
}
