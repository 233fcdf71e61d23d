import type { AdminOrderDetails, NewRefund } from '@keyfront/sdk';
import { Button, Checkbox, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
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
import { firstDraft, type RefundDraft, readRefund, refundKinds } from './refund-draft.ts';
import classes from './refund-modal.module.css';

interface RefundModalProps {
  /** As it was when the dialog was opened. */
  readonly order: AdminOrderDetails;
  readonly onClose: () => void;
}

/** A refund that was filled in, and waits for its confirmation. */
interface PreparedRefund {
  readonly refund: NewRefund;
  readonly cents: number;
}

/** Refunds an order in two steps: what and why, and then the amount once more. */
export function RefundModal({ order, onClose }: RefundModalProps) {
  const [draft, setDraft] = useState(() => firstDraft(order));
  const [first] = useState(draft);
  const [prepared, setPrepared] = useState<PreparedRefund | null>(null);
  // Also for another draft, as long as nobody knows what became of the first.
  const [idempotencyKey, renewAfter] = useIdempotencyKey();
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.refundInvoiceNumber(order.invoiceNumber)}
      // Neither loses what was filled in by accident.
      closeOnClickOutside={draft === first}
      closeOnEscape={draft === first}
    >
      {prepared ? (
        <Confirmation
          order={order}
          prepared={prepared}
          idempotencyKey={idempotencyKey}
          onError={renewAfter}
          onBack={() => setPrepared(null)}
          onClose={onClose}
        />
      ) : (
        <Draft order={order} draft={draft} onChange={setDraft} onCancel={onClose} onContinue={setPrepared} />
      )}
    </Modal>
  );
}

interface DraftProps {
  readonly order: AdminOrderDetails;
  readonly draft: RefundDraft;
  readonly onChange: (draft: RefundDraft) => void;
  readonly onCancel: () => void;
  readonly onContinue: (prepared: PreparedRefund) => void;
}

function Draft({ order, draft, onChange, onCancel, onContinue }: DraftProps) {
  const change = (changed: Partial<RefundDraft>) => onChange({ ...draft, ...changed });
  const money = (cents: number) => formatMoney(cents / 100, order.currency);
  const read = readRefund(order, draft);
  // The stock of a cancelled order is back already.
  const canRestock = draft.kind !== 'amount' && order.orderStatus !== 'CANCELLED';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (read.ok) onContinue({ refund: read.refund, cents: read.cents });
      }}
    >
      <Stack>
        <Text size="sm">
          {texts.paidAndNotRefunded}
          <strong>{money(refundableCents(order))}</strong>
          {texts.refundIsRecordedHereMoneyGoes}
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
            label={texts.amountInCurrency(order.currency)}
            inputMode="decimal"
            value={draft.amount}
            onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
          />
        )}
        <Textarea
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {texts.cancel}
          </Button>
          <Button type="submit" disabled={!read.ok}>
            {texts.continue}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConfirmationProps {
  readonly order: AdminOrderDetails;
  readonly prepared: PreparedRefund;
  readonly idempotencyKey: string;
  readonly onError: (error: Error) => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function Confirmation({ order, prepared, idempotencyKey, onError, onBack, onClose }: ConfirmationProps) {
  const { refund, cents } = prepared;
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const amount = formatMoney(cents / 100, order.currency);
  const plain = (cents / 100).toFixed(2);
  const isConfirmed = readCents(typed) === cents;
  const send = useSingleMutation({
    mutationFn: () => getKeyfront().admin.orders.refund(order.id, refund, { idempotencyKey }),
    onSuccess: async () => {
      showSuccess(texts.amountOfInvoiceNumberAreRefunded(amount, order.invoiceNumber));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
    onError,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) send.mutate();
      }}
    >
      <Stack>
        {send.error && (
          <ErrorNotice
            title={isRefusal(send.error) ? texts.nothingWasRefunded : texts.noAnswerCameTryAgainIt}
            error={send.error}
          />
        )}
        <div>
          <div className={classes.amount}>{amount}</div>
          <Text size="sm" className={classes.summary}>
            {texts.goBackTo}
            <bdi>{fullName(order.client)}</bdi>: <bdi>{refund.reason}</bdi>
            {refund.restock && texts.theUnitsComeBackToTheStock}
            {texts.refundCannotBeTakenBack}
          </Text>
        </div>
        <TextInput
          data-autofocus
          label={texts.typePlainToConfirm(plain)}
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onBack}>
            {texts.back}
          </Button>
          <Button type="submit" color="red.8" disabled={!isConfirmed} loading={send.isPending}>
            {texts.refundAmount(amount)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
