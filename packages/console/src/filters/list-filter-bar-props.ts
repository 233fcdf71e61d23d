import type { ReactNode } from 'react';

/** The filters of a list of one kind of resource. A page may add further ones. */
export interface ListFilterBarProps<Filters> {
  readonly filters: Filters;
  readonly readFilters: (search: Record<string, unknown>) => Filters;
  readonly onChange: (filters: Filters) => void;
  /** Further filters, after the search. */
  readonly children?: ReactNode;
}
