import type { ReactNode } from 'react';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { SearchField } from '../../filters/search-field.tsx';
import { approvalNames } from '../../format/state-names.ts';
import type { ClientFilters } from './client-filters.ts';

interface ClientFilterBarProps<Filters extends ClientFilters> {
  readonly filters: Filters;
  readonly readFilters: (search: Record<string, unknown>) => Filters;
  readonly onChange: (filters: Filters) => void;
  /** Further filters, after the search. */
  readonly children?: ReactNode;
}

/** The filters of a list of clients. */
export function ClientFilterBar<Filters extends ClientFilters>({
  filters,
  readFilters,
  onChange,
  children,
}: ClientFilterBarProps<Filters>) {
  const change = (changed: Record<string, string | null>) =>
    onChange(readFilters({ ...filters, ...changed }));
  return (
    <FilterBar isFiltered={Object.keys(filters).length > 0} onClear={() => onChange(readFilters({}))}>
      <SearchField
        value={filters.search ?? ''}
        placeholder="Name, e-mail or phone number"
        onChange={(search) => change({ search })}
      />
      {children}
      <ChoiceFilter
        label="Approval"
        choices={approvalNames}
        value={filters.adminApproval}
        onChange={(adminApproval) => change({ adminApproval })}
      />
      <ChoiceFilter
        label="Identity"
        choices={{ true: 'Verified', false: 'Not verified' }}
        value={filters.isKYCVerified}
        onChange={(isKYCVerified) => change({ isKYCVerified })}
      />
      <ChoiceFilter
        label="Status"
        choices={{ ACTIVE: 'Active', INACTIVE: 'Inactive' }}
        value={filters.status}
        onChange={(status) => change({ status })}
      />
    </FilterBar>
  );
}
