import type { Strain, StrainChange } from '@keyfront/sdk';
import { issuesByField } from '../../../format/issues-by-field.ts';

interface StrainIssues {
  /** The issue of a field of a country. Null is the country that the strain was not sold in before. */
  readonly issueOf: (countryCode: string | null, field: string) => string | undefined;
  /** Whether the error says something that stands at no field. */
  readonly hasOthers: boolean;
}

const countryFields = ['countryCode', 'retailPrice', 'stockChange', 'stockQuantity'];

/** Finds the fields that an error is about. The service knows the countries of a change by their places in it. */
export function strainIssues(
  { strainLocations }: Pick<Strain, 'strainLocations'>,
  error: Error | null,
  change: StrainChange | undefined,
): StrainIssues {
  const changed = change?.strainLocations ?? [];
  const pathOf = (place: number, field: string) => `strainLocations.${place}.${field}`;
  const { byField, hasOthers } = issuesByField(
    error,
    changed.flatMap((_, place) => countryFields.map((field) => pathOf(place, field))),
  );
  const known = new Set(strainLocations.map(({ location }) => location.countryCode));
  const placeOf = (countryCode: string | null) =>
    changed.findIndex((each) =>
      countryCode === null ? !known.has(each.countryCode) : each.countryCode === countryCode,
    );
  return { issueOf: (countryCode, field) => byField.get(pathOf(placeOf(countryCode), field)), hasOthers };
}
