import type { FacetValue } from '@keyfront/sdk';
import type { ChangeFilters, FilterField } from '../../filters/filter-field.ts';
import { OptionList } from '../../filters/option-list.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { facetOptions } from './facet-options.ts';

interface FacetFieldProps {
  readonly label: string;
  readonly name: string;
  /** Undefined while it is loaded. */
  readonly facet: readonly FacetValue[] | undefined;
  /** The chosen values, with commas between them. */
  readonly value: string | undefined;
  readonly nameOf?: (value: string) => string;
  readonly change: ChangeFilters;
}

/** Any of some values, each with the number of strains that have it. */
export function facetField({
  label,
  name,
  facet,
  value,
  nameOf = (text) => text,
  change,
}: FacetFieldProps): FilterField {
  const { chosen, options } = facetOptions(facet, value, nameOf);
  const toggle = (picked: string) =>
    chosen.includes(picked) ? chosen.filter((each) => each !== picked) : [...chosen, picked];
  return {
    label,
    names: [name],
    summary: chosen.length === 0 ? undefined : chosen.map(nameOf).join(', '),
    render: () => (
      <OptionList
        options={options.map(({ count, ...option }) => ({
          ...option,
          hint: count === undefined ? undefined : formatNumber(count),
        }))}
        chosen={chosen}
        onChoose={(picked) => change({ [name]: toggle(picked).join(',') }, name)}
      />
    ),
  };
}
