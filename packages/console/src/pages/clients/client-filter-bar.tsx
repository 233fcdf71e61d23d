import { choiceField } from '../../filters/fields.tsx';
import { ListFilterBar } from '../../filters/list-filter-bar.tsx';
import type { ListFilterBarProps } from '../../filters/list-filter-bar-props.ts';
import { approvalNames } from '../../format/state-names.ts';
import { type ClientFilters, clientSorts } from './client-filters.ts';

/** The filters of a list of clients. */
export function ClientFilterBar<Filters extends ClientFilters>({
  moreFields,
  ...props
}: ListFilterBarProps<Filters>) {
  const { filters } = props;
  return (
    <ListFilterBar
      {...props}
      placeholder="Name, e-mail or phone number"
      sorts={clientSorts}
      fields={(change) => [
        ...(moreFields?.(change) ?? []),
        choiceField({
          label: 'Approval',
          name: 'adminApproval',
          value: filters.adminApproval,
          choices: approvalNames,
          change,
        }),
        choiceField({
          label: 'Identity',
          name: 'isKYCVerified',
          value: filters.isKYCVerified,
          choices: { true: 'Verified', false: 'Not verified' },
          change,
        }),
        choiceField({
          label: 'Status',
          name: 'status',
          value: filters.status,
          choices: { ACTIVE: 'Active', INACTIVE: 'Inactive' },
          change,
        }),
      ]}
    />
  );
}
