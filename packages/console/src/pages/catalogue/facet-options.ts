import type { FacetValue } from '@keyfront/sdk';

export interface FacetOptions {
  readonly chosen: string[];
  readonly options: { readonly value: string; readonly label: string }[];
}

/**
 * What can be chosen of a facet, with counts. What is chosen stays in the list when no strain is left that has it. The service takes
 * values in any case, so that those of a URL may be spelled otherwise.
 */
export function facetOptions(
  facet: readonly FacetValue[] | undefined,
  filter: string | undefined,
  nameOf: (value: string) => string = (value) => value,
): FacetOptions {
  const known = new Map(facet?.map((each) => [each.value.toLowerCase(), each]));
  const texts = filter?.split(',') ?? [];
  const chosen = [...new Set(texts.map((text) => known.get(text.toLowerCase())?.value ?? text))];
  const options = [...known.values()].map(({ value, count }) => ({
    value,
    label: `${nameOf(value)} (${count.toLocaleString()})`,
  }));
  const missing = chosen.filter((value) => !known.has(value.toLowerCase()));
  return {
    chosen,
    options: [
      ...options,
      // Until the counts have arrived, nothing is known about them.
      ...missing.map((value) => ({ value, label: facet ? `${nameOf(value)} (0)` : nameOf(value) })),
    ],
  };
}
