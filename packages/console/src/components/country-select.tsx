import { NativeSelect } from '@mantine/core';
import { countries } from '../format/countries.ts';

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
      label="Country"
      defaultValue={defaultValue}
      required={isRequired}
      error={error}
      data={[{ value: '', label: 'Choose…' }, ...countries]}
    />
  );
}
