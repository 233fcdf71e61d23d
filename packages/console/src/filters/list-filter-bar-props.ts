import type { ChangeFilters, FilterField } from './filter-field.ts';

/** The filters of a list of one kind of resource. A page may add further ones. */
export interface ListFilterBarProps<Filters> {
  /** The path of the list, under which its views are saved. */
  readonly list: string;
  readonly filters: Filters;
  readonly readFilters: (search: Record<string, unknown>) => Filters;
  /** `typedFilter` is the field that the change was typed into. */
  readonly onChange: (filters: Filters, typedFilter?: string) => void;
  /** Below the list of filters. */
  readonly hint?: string;
  /** Further filters, before the others. */
  readonly moreFields?: (change: ChangeFilters) => readonly FilterField[];
}
