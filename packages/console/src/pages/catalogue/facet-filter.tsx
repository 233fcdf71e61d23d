import type { FacetValue } from '@keyfront/sdk';
import { MultiSelect } from '@mantine/core';
import { formatNumber } from '../../format/format-number.ts';
import { facetOptions } from './facet-options.ts';

interface FacetFilterProps {
  readonly label: string;
  /** Undefined while it is loaded. */
  readonly facet: readonly FacetValue[] | undefined;
  /** The chosen values, with commas between them. */
  readonly value: string | undefined;
  readonly nameOf?: (value: string) => string;
  readonly onChange: (value: string) => void;
}

/** Any of some values, each with the number of strains that have it. */
export function FacetFilter({ label, facet, value, nameOf, onChange }: FacetFilterProps) {
  const { chosen, options } = facetOptions(facet, value, nameOf);
  const counts = new Map(options.map((option) => [option.value, option.count]));
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? 'All' : ''}
      hidePickedOptions
      value={chosen}
      onChange={(values) => onChange(values.join(','))}
      data={options}
      renderOption={({ option }) => describe(option.label, counts.get(option.value))}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

function describe(name: string, count: number | undefined): string {
  return count === undefined ? name : `${name} (${formatNumber(count)})`;
}
