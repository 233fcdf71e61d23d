import { TextInput } from '@mantine/core';
import { CountrySelect } from '../../../components/country-select.tsx';
import classes from './strain-modal.module.css';

/** A country that the strain is not sold in yet. */
export function NewCountryFields({ error }: { readonly error: string | undefined }) {
  return (
    <fieldset className={classes.country}>
      <legend>Another country</legend>
      <CountrySelect name="newCountry" error={error} />
      <TextInput name="newPrice" label="Price" placeholder="Base price" inputMode="decimal" />
      <TextInput name="newStock" label="Stock" placeholder="0" inputMode="numeric" pattern="[0-9]*" />
    </fieldset>
  );
}
