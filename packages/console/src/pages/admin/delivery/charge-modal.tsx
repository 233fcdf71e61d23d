import type { DeliveryCharge, DeliveryChargeSetting } from '@keyfront/sdk';
import { SimpleGrid, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CountrySelect } from '../../../components/country-select.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { nameCountry } from '../../../format/countries.ts';
import { issuesByField } from '../../../format/issues-by-field.ts';
import { clearDraft } from '../../../session/drafts.ts';
import { getKeyfront } from '../../../session/keyfront.ts';

interface ChargeModalProps {
  /** Null for another country. */
  readonly charge: DeliveryCharge | null;
  readonly onClose: () => void;
}

/** Sets what the delivery to a country costs, and its tax rate. */
export function ChargeModal({ charge, onClose }: ChargeModalProps) {
  const queryClient = useQueryClient();
  const draft = `charge.${charge?.id ?? 'new'}`;
  const set = useSingleMutation({
    mutationFn: (setting: DeliveryChargeSetting) => getKeyfront().admin.deliveryCharges.set(setting),
    onSuccess: async ({ countryCode }) => {
      clearDraft(draft);
      showSuccess(`The charge for ${nameCountry(countryCode)} is set`);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const chargeFields = ['deliveryCharge', 'freeFrom', 'taxRate'];
  const { byField, hasOthers } = issuesByField(
    set.error,
    charge ? chargeFields : ['countryCode', 'currency', ...chargeFields],
  );
  const onSubmit = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    set.mutate({
      countryCode: charge?.countryCode ?? text('countryCode'),
      currency: charge?.currency ?? text('currency'),
      deliveryCharge: text('deliveryCharge'),
      freeFrom: text('freeFrom') || null,
      // Left empty, the rate stays as it is. A decimal comma is as good as a point.
      ...(text('taxRate') === '' ? {} : { taxRate: Number(text('taxRate').replace(',', '.')) }),
    });
  };
  return (
    <FormModal
      onClose={onClose}
      draft={draft}
      submitLabel="Set"
      isPending={set.isPending}
      onSubmit={onSubmit}
      title={charge ? `Delivery to ${nameCountry(charge.countryCode)}` : 'Set a delivery charge'}
    >
      {set.error && hasOthers && <ErrorNotice title="The charge was not set" error={set.error} />}
      {!charge && (
        <SimpleGrid cols={2}>
          <CountrySelect name="countryCode" isRequired error={byField.get('countryCode')} />
          <TextInput
            name="currency"
            label="Currency"
            placeholder="EUR"
            required
            error={byField.get('currency')}
          />
        </SimpleGrid>
      )}
      <SimpleGrid cols={2}>
        <TextInput
          name="deliveryCharge"
          label="Charge"
          inputMode="decimal"
          required
          defaultValue={charge?.deliveryCharge ?? ''}
          error={byField.get('deliveryCharge')}
        />
        <TextInput
          name="freeFrom"
          label="Free from"
          description="Empty: never"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          defaultValue={charge?.freeFrom ?? ''}
          error={byField.get('freeFrom')}
        />
      </SimpleGrid>
      <TextInput
        name="taxRate"
        label="Tax in per cent"
        description={
          charge
            ? 'Prices contain it. It is the same for every currency of the country'
            : 'Prices contain it. Empty: it stays as it is, which is 0 at first'
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="decimal"
        pattern="[0-9]+([.,][0-9]+)?"
        title="A number, such as 23 or 8.1"
        defaultValue={charge?.taxRate ?? ''}
        error={byField.get('taxRate')}
      />
    </FormModal>
  );
}
