import { NativeSelect } from '@mantine/core';
import { countries } from '../format/countries.ts';
import { texts } from '../texts/components.ts';

interface CountrySelectProps {
  readonly name: string;
  /** The code of the country that is chosen at first. */
  readonly defaultValue?: string | undefined;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
}

/** Chooses a country by its name. The value is its code. */
export function CountrySelect({ name, defaultValue = '', isRequired = false, error }: CountrySelectProps) {
  return (
    <NativeSelect
      name={name}
      label={texts.country}
      defaultValue={defaultValue}
      required={isRequired}
      error={error}
      data={[{ value: '', label: texts.choose }, ...countries]}
    />
  );
}
