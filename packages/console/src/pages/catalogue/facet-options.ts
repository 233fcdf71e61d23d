import type { FacetValue } from '@keyfront/sdk';

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  /** Undefined until the counts have arrived. */
  readonly count: number | undefined;
}

export interface FacetOptions {
  readonly chosen: string[];
  readonly options: FacetOption[];
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
  const missing = chosen.filter((value) => !known.has(value.toLowerCase()));
  const options: FacetOption[] = [
    ...[...known.values()].map(({ value, count }) => ({ value, label: nameOf(value), count })),
    ...missing.map((value) => ({ value, label: nameOf(value), count: facet && 0 })),
  ];
  return { chosen, options };
}
