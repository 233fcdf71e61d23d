import type { AdminOrderDetails, NewShipment, Shipment } from '@keyfront/sdk';
import { Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { useIdempotencyKey } from '../../../components/use-idempotency-key.ts';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { issuesByField } from '../../../format/issues-by-field.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { LineQuantities } from './line-quantities.tsx';
import { everything, leftToSend, readQuantities } from './order-rest.ts';

interface ShipmentModalProps {
  /** As it was when the dialog was opened. */
  readonly order: AdminOrderDetails;
  /** The one to correct. Null for a new parcel. */
  readonly shipment: Shipment | null;
  readonly onClose: () => void;
}

const fields = ['carrier', 'trackingNumber', 'trackingUrl'] as const;

/** Sends a parcel, or corrects carrier and tracking of one. */
export function ShipmentModal({ order, shipment, onClose }: ShipmentModalProps) {
  const queryClient = useQueryClient();
  const rest = shipment ? [] : leftToSend(order);
  const [quantities, setQuantities] = useState<Readonly<Record<string, string>>>(() => everything(rest));
  const orderLines = readQuantities(rest, quantities);
  const [idempotencyKey, renewAfter] = useIdempotencyKey();
  const save = useSingleMutation({
    mutationFn: async (tracking: Partial<Pick<NewShipment, (typeof fields)[number]>>) => {
      const { orders } = getKeyfront().admin;
      if (shipment) {
        if (Object.keys(tracking).length > 0) await orders.updateShipment(order.id, shipment.id, tracking);
      } else if (orderLines) {
        await orders.ship(order.id, { carrier: '', ...tracking, orderLines }, { idempotencyKey });
      }
    },
    onSuccess: async () => {
      showSuccess(
        shipment ? texts.shipmentIsCorrected : texts.parcelOfInvoiceNumberIsSent(order.invoiceNumber),
      );
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
    onError: renewAfter,
  });
  const { byField, hasOthers } = issuesByField(save.error, fields);
  const onSubmit = (form: FormData) => {
    const entries = fields.map((name) => [name, String(form.get(name) ?? '').trim()] as const);
    // The service keeps what is left out, and takes no empty address.
    save.mutate(
      Object.fromEntries(entries.filter(([name, text]) => text !== '' && text !== shipment?.[name])),
    );
  };
  return (
    <FormModal
      title={shipment ? texts.correctShipment : texts.sendParcel}
      submitLabel={shipment ? texts.save : texts.sendParcelNow}
      isPending={save.isPending}
      isDisabled={!shipment && orderLines === null}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      {save.error && hasOthers && (
        <ErrorNotice
          title={shipment ? texts.shipmentWasNotCorrected : texts.parcelWasNotSent}
          error={save.error}
        />
      )}
      <TextInput
        name="carrier"
        label={texts.carrier}
        data-autofocus
        required
        maxLength={100}
        defaultValue={shipment?.carrier ?? ''}
        error={byField.get('carrier')}
      />
      <TextInput
        name="trackingNumber"
        label={texts.trackingNumber}
        maxLength={100}
        defaultValue={shipment?.trackingNumber ?? ''}
        error={byField.get('trackingNumber')}
      />
      <TextInput
        name="trackingUrl"
        label={texts.trackingLink}
        placeholder="https://"
        inputMode="url"
        maxLength={2048}
        defaultValue={shipment?.trackingUrl ?? ''}
        error={byField.get('trackingUrl')}
      />
      {!shipment && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {texts.whatItContains}
          </Text>
          <LineQuantities rest={rest} quantities={quantities} onChange={setQuantities} />
        </div>
      )}
    </FormModal>
  );
}
