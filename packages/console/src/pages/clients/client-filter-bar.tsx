import { choiceField } from '../../filters/fields.tsx';
import { ListFilterBar } from '../../filters/list-filter-bar.tsx';
import type { ListFilterBarProps } from '../../filters/list-filter-bar-props.ts';
import { approvalNames } from '../../format/state-names.ts';
import { texts } from '../../texts/clients.ts';
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
      placeholder={texts.nameEMailOrPhoneNumber}
      sorts={clientSorts}
      fields={(change) => [
        ...(moreFields?.(change) ?? []),
        choiceField({
          label: texts.approval,
          name: 'adminApproval',
          value: filters.adminApproval,
          choices: approvalNames,
          change,
        }),
        choiceField({
          label: texts.identity,
          name: 'isKYCVerified',
          value: filters.isKYCVerified,
          choices: { true: texts.verified, false: texts.notVerified },
          change,
        }),
        choiceField({
          label: texts.status,
          name: 'status',
          value: filters.status,
          choices: { ACTIVE: texts.active, INACTIVE: texts.inactive },
          change,
        }),
      ]}
    />
  );
}
