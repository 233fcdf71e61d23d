import { Select, TextInput } from '@mantine/core';
import { ChoiceFilter } from '../../filters/choice-filter.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import type { ListFilterBarProps } from '../../filters/list-filter-bar-props.ts';
import { SearchField } from '../../filters/search-field.tsx';
import { TextFilter } from '../../filters/text-filter.tsx';
import { approvalNames, orderNames, paymentNames } from '../../format/state-names.ts';
import { type OrderFilters, orderSorts } from './order-filters.ts';

/** The filters of a list of orders. */
export function OrderFilterBar<Filters extends OrderFilters>({
  filters,
  readFilters,
  onChange,
  children,
}: ListFilterBarProps<Filters>) {
  // Through the reader, so that an emptied field leaves the URL.
  const change = (changed: Record<string, string | null>) =>
    onChange(readFilters({ ...filters, ...changed }));
  const { orderBy: _orderBy, ...filtering } = filters;
  return (
    <FilterBar
      isFiltered={Object.keys(filtering).length > 0}
      onClear={() => onChange(readFilters({}))}
      search={
        <SearchField
          value={filters.search ?? ''}
          placeholder="Invoice, name or e-mail"
          onChange={(search) => change({ search })}
        />
      }
    >
      {children}
      <ChoiceFilter
        label="Order"
        choices={orderNames}
        value={filters.status}
        onChange={(status) => change({ status })}
      />
      <ChoiceFilter
        label="Payment"
        choices={paymentNames}
        value={filters.paymentStatus}
        onChange={(paymentStatus) => change({ paymentStatus })}
      />
      <ChoiceFilter
        label="Approval"
        choices={approvalNames}
        value={filters.adminApproval}
        onChange={(adminApproval) => change({ adminApproval })}
      />
      <ChoiceFilter
        label="Refund"
        choices={{ true: 'Due', false: 'Not due' }}
        value={filters.refundDue}
        onChange={(refundDue) => change({ refundDue })}
      />
      <TextFilter
        label="Reference"
        value={filters.externalReference}
        onChange={(externalReference) => change({ externalReference })}
      />
      <TextInput
        type="date"
        label="From"
        {...(filters.endDate ? { max: filters.endDate } : {})}
        value={filters.startDate ?? ''}
        onChange={({ currentTarget }) => change({ startDate: currentTarget.value })}
      />
      <TextInput
        type="date"
        label="To"
        {...(filters.startDate ? { min: filters.startDate } : {})}
        value={filters.endDate ?? ''}
        onChange={({ currentTarget }) => change({ endDate: currentTarget.value })}
      />
      <Select
        label="Sorted"
        allowDeselect={false}
        value={filters.orderBy ?? 'createdAt:desc'}
        onChange={(orderBy) => change({ orderBy: orderBy === 'createdAt:desc' ? null : orderBy })}
        data={Object.entries(orderSorts).map(([value, label]) => ({ value, label }))}
      />
    </FilterBar>
  );
}
