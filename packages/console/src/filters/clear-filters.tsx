import { Button } from '@mantine/core';
import { texts } from '../texts/filters.ts';

interface ClearableFilters {
  readonly search?: string;
  readonly orderBy?: string;
}

interface ClearFiltersProps<Filters> {
  readonly filters: Filters;
  readonly readFilters: (search: Record<string, unknown>) => Filters;
  readonly onChange: (filters: Filters) => void;
}

/** The button of a list in which nothing matches. */
export function ClearFilters<Filters extends ClearableFilters>({
  filters,
  readFilters,
  onChange,
}: ClearFiltersProps<Filters>) {
  const { label, rest } = planClearing(filters);
  return (
    <Button variant="default" onClick={() => onChange(readFilters(rest))}>
      {label}
    </Button>
  );
}

/**
 * What clears the filters of a list, and what stays. The text of a search stays while filters are set beside it: what was not found
 * among some is searched among all.
 */
export function planClearing({ search, orderBy, ...filters }: ClearableFilters) {
  const isSearchOnly = Object.keys(filters).length === 0;
  return {
    label: isSearchOnly ? texts.clearSearch : texts.clearFilters,
    rest: { orderBy, ...(isSearchOnly ? {} : { search }) },
  };
}
