import { TextInput } from '@mantine/core';
import { CountrySelect } from '../../../components/country-select.tsx';
import { texts } from '../../../texts/admin-catalogue.ts';
import classes from './strain-modal.module.css';

/** A country that the strain is not sold in yet. */
export function NewCountryFields({ issueOf }: { readonly issueOf: (field: string) => string | undefined }) {
  return (
    <fieldset className={classes.country}>
      <legend>{texts.anotherCountry}</legend>
      <CountrySelect name="newCountry" error={issueOf('countryCode')} />
      <TextInput
        name="newPrice"
        label={texts.price}
        placeholder={texts.basePrice}
        inputMode="decimal"
        error={issueOf('retailPrice')}
      />
      <TextInput
        name="newStock"
        label={texts.stock}
        placeholder="0"
        inputMode="numeric"
        pattern="[0-9]*"
        error={issueOf('stockQuantity')}
      />
    </fieldset>
  );
}
