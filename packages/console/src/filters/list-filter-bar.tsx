import { planClearing } from './clear-filters.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { ChangeFilters, FilterField } from './filter-field.ts';
import type { ListFilterBarProps } from './list-filter-bar-props.ts';
import { SavedViews } from './saved-views.tsx';
import { SearchField } from './search-field.tsx';
import { SortSelect } from './sort-select.tsx';

interface FilterableList {
  readonly search?: string;
  readonly orderBy?: string;
}

interface Props<Filters> extends Omit<ListFilterBarProps<Filters>, 'moreFields'> {
  readonly placeholder: string;
  readonly sorts: Readonly<Record<string, string>>;
  readonly fields: (change: ChangeFilters) => readonly FilterField[];
}

/** The search, filters, order and saved views of a list whose filters stand in the URL. */
export function ListFilterBar<Filters extends FilterableList>({
  list,
  filters,
  readFilters,
  onChange,
  placeholder,
  sorts,
  fields,
  hint,
}: Props<Filters>) {
  // Through the reader, so that an emptied field leaves the URL.
  const change: ChangeFilters = (changed, typedFilter) =>
    onChange(readFilters({ ...filters, ...changed }), typedFilter);
  const { orderBy, ...filtering } = filters;
  const { label, rest } = planClearing(filters);
  return (
    <FilterBar
      search={
        <SearchField
          value={filters.search ?? ''}
          placeholder={placeholder}
          onChange={(search) => change({ search }, 'search')}
        />
      }
      fields={fields(change)}
      hint={hint}
      isFiltered={Object.keys(filtering).length > 0}
      onRemove={(names) => change(Object.fromEntries(names.map((name) => [name, null])))}
      clearLabel={label}
      onClear={() => onChange(readFilters(rest))}
      sort={<SortSelect sorts={sorts} value={orderBy} onChange={(sort) => change({ orderBy: sort })} />}
    >
      <SavedViews list={list} filters={filters} readFilters={readFilters} onChange={onChange} />
    </FilterBar>
  );
}
