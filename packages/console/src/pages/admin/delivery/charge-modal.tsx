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
import { readAmount } from '../../../format/read-cents.ts';
import { clearDraft } from '../../../session/drafts.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-delivery.ts';

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
      showSuccess(texts.chargeForCountryCodeIsSet(nameCountry(countryCode)));
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
      currency: charge?.currency ?? text('currency').toUpperCase(),
      deliveryCharge: readAmount(text('deliveryCharge')),
      freeFrom: readAmount(text('freeFrom')) || null,
      // Left empty, the rate stays as it is. A decimal comma is as good as a point.
      ...(text('taxRate') === '' ? {} : { taxRate: Number(text('taxRate').replace(',', '.')) }),
    });
  };
  return (
    <FormModal
      onClose={onClose}
      draft={draft}
      submitLabel={texts.set}
      isPending={set.isPending}
      onSubmit={onSubmit}
      title={charge ? texts.deliveryToCountryCode(nameCountry(charge.countryCode)) : texts.setDeliveryCharge}
    >
      {set.error && hasOthers && <ErrorNotice title={texts.chargeWasNotSet} error={set.error} />}
      {!charge && (
        <SimpleGrid cols={2}>
          <CountrySelect name="countryCode" isRequired error={byField.get('countryCode')} />
          <TextInput
            name="currency"
            label={texts.currency}
            defaultValue="EUR"
            required
            maxLength={3}
            error={byField.get('currency')}
          />
        </SimpleGrid>
      )}
      <SimpleGrid cols={2}>
        <TextInput
          name="deliveryCharge"
          label={charge ? texts.chargeInCurrency(charge.currency) : texts.charge}
          inputMode="decimal"
          required
          defaultValue={charge?.deliveryCharge.toFixed(2) ?? ''}
          error={byField.get('deliveryCharge')}
        />
        <TextInput
          name="freeFrom"
          label={charge ? texts.freeFromInCurrency(charge.currency) : texts.freeFrom}
          description={texts.emptyNever}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="decimal"
          defaultValue={charge?.freeFrom?.toFixed(2) ?? ''}
          error={byField.get('freeFrom')}
        />
      </SimpleGrid>
      <TextInput
        name="taxRate"
        label={texts.taxInPerCent}
        description={charge ? texts.pricesContainItItIsSame : texts.pricesContainItEmptyItStays}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="decimal"
        pattern="[0-9]+([.,][0-9]+)?"
        title={texts.numberSuchAs}
        defaultValue={charge?.taxRate ?? ''}
        error={byField.get('taxRate')}
      />
    </FormModal>
  );
}
