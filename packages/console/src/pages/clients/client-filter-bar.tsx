import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import type { ListFilterBarProps } from '../../filters/list-filter-bar-props.ts';
import { SearchField } from '../../filters/search-field.tsx';
import { approvalNames } from '../../format/state-names.ts';
import type { ClientFilters } from './client-filters.ts';

/** The filters of a list of clients. */
export function ClientFilterBar<Filters extends ClientFilters>({
  filters,
  readFilters,
  onChange,
  children,
}: ListFilterBarProps<Filters>) {
  const change = (changed: Record<string, string | null>) =>
    onChange(readFilters({ ...filters, ...changed }));
  return (
    <FilterBar
      isFiltered={Object.keys(filters).length > 0}
      onClear={() => onChange(readFilters({}))}
      search={
        <SearchField
          value={filters.search ?? ''}
          placeholder="Name, e-mail or phone number"
          onChange={(search) => change({ search })}
        />
      }
    >
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
