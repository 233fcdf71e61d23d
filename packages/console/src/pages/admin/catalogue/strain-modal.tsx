import type { Strain, StrainChange } from '@keyfront/sdk';
import { Checkbox, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FormModal } from '../../../components/form-modal.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { clearDraft } from '../../../session/drafts.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-catalogue.ts';
import { NewCountryFields } from './new-country-fields.tsx';
import { readStrainForm } from './read-strain-form.ts';
import { strainIssues } from './strain-issues.ts';
import classes from './strain-modal.module.css';

interface StrainModalProps {
  readonly strain: Strain;
  readonly onClose: () => void;
}

/** Changes price, stock and availability of a strain in each country. */
export function StrainModal({ strain, onClose }: StrainModalProps) {
  const queryClient = useQueryClient();
  const draft = `strain.${strain.id}`;
  const save = useSingleMutation({
    mutationFn: (change: StrainChange) => getKeyfront().admin.strains.update(strain.id, change),
    onSuccess: async () => {
      clearDraft(draft);
      showSuccess(texts.nameIsChanged(strain.name));
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const { issueOf, hasOthers } = strainIssues(strain, save.error, save.variables);
  const onSubmit = (form: FormData) => {
    const change = readStrainForm(strain, form);
    if (change) save.mutate(change);
    else {
      clearDraft(draft);
      onClose();
    }
  };
  return (
    <FormModal
      onClose={onClose}
      size="lg"
      title={<bdi>{strain.name}</bdi>}
      draft={draft}
      submitLabel={texts.save}
      isPending={save.isPending}
      onSubmit={onSubmit}
    >
      {hasOthers && save.error && <ErrorNotice title={texts.strainWasNotChanged} error={save.error} />}
      <Checkbox
        name="isActive"
        label={texts.offered}
        description={texts.canBeOrderedWhereverItIs}
        defaultChecked={strain.isActive}
      />
      {strain.strainLocations.map(({ id, location, stockQuantity, retailPrice, currency, isActive }) => (
        <fieldset key={id} className={classes.country}>
          <legend>{location.country}</legend>
          <TextInput
            name={`price.${location.countryCode}`}
            label={texts.priceInCurrency(currency)}
            inputMode="decimal"
            defaultValue={retailPrice.toFixed(2)}
            error={issueOf(location.countryCode, 'retailPrice')}
          />
          <TextInput
            name={`stock.${location.countryCode}`}
            label={texts.addToStock}
            placeholder="0"
            inputMode="numeric"
            pattern="-?[0-9]*"
            error={issueOf(location.countryCode, 'stockChange')}
          />
          <Text size="sm" c="dimmed" className="tabular">
            {texts.stockQuantityInStock(formatNumber(stockQuantity))}
          </Text>
          <Checkbox
            name={`active.${location.countryCode}`}
            label={texts.soldHere}
            defaultChecked={isActive}
          />
        </fieldset>
      ))}
      <NewCountryFields issueOf={(field) => issueOf(null, field)} />
    </FormModal>
  );
}
