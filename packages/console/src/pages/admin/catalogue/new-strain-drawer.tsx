import { MultiSelect, NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FormDrawer } from '../../../components/form-drawer.tsx';
import { showSuccess } from '../../../components/toasts.tsx';
import { useDraftList } from '../../../components/use-draft.ts';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { countries } from '../../../format/countries.ts';
import { issuesByField } from '../../../format/issues-by-field.ts';
import { clearDraft } from '../../../session/drafts.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-catalogue.ts';
import { readNewStrain } from './read-new-strain.ts';

interface NewStrainDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const fields = [
  'name',
  'planet',
  'thc',
  'cbd',
  'retailPrice',
  'currency',
  'countryCodes',
  'stockQuantity',
  'description',
];

export const newStrainDraft = 'new-strain';

/** Adds a strain to the catalogue. */
export function NewStrainDrawer({ isOpen, onClose }: NewStrainDrawerProps) {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: ['planets'],
    queryFn: ({ signal }) => getKeyfront().planets.list({ signal }),
  });
  const create = useSingleMutation({
    mutationFn: (form: FormData) => getKeyfront().admin.strains.create(readNewStrain(form)),
    onSuccess: async ({ name }) => {
      showSuccess(texts.nameIsInCatalogue(name));
      clearDraft(newStrainDraft);
      onClose();
      await queryClient.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const { byField } = issuesByField(create.error, fields);
  return (
    <FormDrawer
      title={texts.addAStrain}
      submitLabel={texts.addStrain}
      draft={newStrainDraft}
      isOpen={isOpen}
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={create.mutate}
    >
      {create.error && <ErrorNotice title={texts.strainWasNotAdded} error={create.error} />}
      <TextInput name="name" label={texts.name} required maxLength={100} error={byField.get('name')} />
      <SimpleGrid cols={2}>
        <NativeSelect
          name="planet"
          label={texts.planet}
          required
          data={(data?.planets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          error={byField.get('planet')}
        />
        <NativeSelect
          name="type"
          label={texts.type}
          data={[
            { value: 'INDICA', label: texts.indica },
            { value: 'SATIVA', label: texts.sativa },
            { value: 'HYBRID', label: texts.hybrid },
          ]}
        />
        <TextInput
          name="thc"
          label={texts.thcInPerCent}
          inputMode="decimal"
          required
          error={byField.get('thc')}
        />
        <TextInput
          name="cbd"
          label={texts.cbdInPerCent}
          inputMode="decimal"
          required
          error={byField.get('cbd')}
        />
        <TextInput
          name="retailPrice"
          label={texts.basePrice}
          inputMode="decimal"
          required
          error={byField.get('retailPrice')}
        />
        <TextInput
          name="currency"
          label={texts.currency}
          defaultValue="EUR"
          required
          maxLength={3}
          error={byField.get('currency')}
        />
      </SimpleGrid>
      <CountriesField error={byField.get('countryCodes')} />
      <TextInput
        name="stockQuantity"
        label={texts.stock}
        description={texts.dividedEvenlyOverCountries}
        inputMode="numeric"
        pattern="[0-9]*"
        error={byField.get('stockQuantity')}
      />
      <Textarea
        name="description"
        label={texts.description}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={2000}
        error={byField.get('description')}
      />
    </FormDrawer>
  );
}

function CountriesField({ error }: { readonly error: string | undefined }) {
  const [countryCodes, setCountryCodes] = useDraftList('countryCodes', []);
  return (
    <MultiSelect
      name="countryCodes"
      label={texts.countries}
      description={texts.inWhichItIsSold}
      searchable
      data={countries}
      value={countryCodes}
      onChange={setCountryCodes}
      error={error}
    />
  );
}
