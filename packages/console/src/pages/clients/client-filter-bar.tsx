import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { SearchField } from '../../filters/search-field.tsx';
import { type ClientFilters, readClientFilters } from './client-filters.ts';

interface ClientFilterBarProps {
  readonly filters: ClientFilters;
  readonly onChange: (filters: ClientFilters) => void;
}

/** The filters of a list of clients. */
export function ClientFilterBar({ filters, onChange }: ClientFilterBarProps) {
  const change = (changed: Record<string, string | null>) =>
    onChange(readClientFilters({ ...filters, ...changed }));
  return (
    <FilterBar isFiltered={Object.keys(filters).length > 0} onClear={() => onChange({})}>
      <SearchField
        value={filters.search ?? ''}
        placeholder="Name, e-mail or phone number"
        onChange={(search) => change({ search })}
      />
      <ChoiceFilter
        label="Approval"
        choices={{ PENDING: 'Waiting', VERIFIED: 'Approved', REJECTED: 'Rejected' }}
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
