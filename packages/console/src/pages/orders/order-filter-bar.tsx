import { Text } from '@mantine/core';
import { choiceField, dayField, textField } from '../../filters/fields.tsx';
import type { FilterField } from '../../filters/filter-field.ts';
import { ListFilterBar } from '../../filters/list-filter-bar.tsx';
import type { ListFilterBarProps } from '../../filters/list-filter-bar-props.ts';
import { approvalNames, orderNames, paymentNames } from '../../format/state-names.ts';
import { type OrderFilters, orderSorts } from './order-filters.ts';

/** Set by the page of a client, and only removed here. */
const clientField: FilterField = {
  label: 'Client',
  names: ['clientId'],
  summary: 'one',
  render: () => <Text size="sm">The orders of one client, as its page lists them.</Text>,
};

/** The filters of a list of orders. */
export function OrderFilterBar<Filters extends OrderFilters>({
  moreFields,
  ...props
}: ListFilterBarProps<Filters>) {
  const { filters } = props;
  return (
    <ListFilterBar
      {...props}
      placeholder="Invoice, name or e-mail"
      sorts={orderSorts}
      fields={(change) => [
        ...(moreFields?.(change) ?? []),
        choiceField({ label: 'Order', name: 'status', value: filters.status, choices: orderNames, change }),
        choiceField({
          label: 'Payment',
          name: 'paymentStatus',
          value: filters.paymentStatus,
          choices: paymentNames,
          change,
        }),
        choiceField({
          label: 'Approval',
          name: 'adminApproval',
          value: filters.adminApproval,
          choices: approvalNames,
          change,
        }),
        choiceField({
          label: 'Refund',
          name: 'refundDue',
          value: filters.refundDue,
          choices: { true: 'Due', false: 'Not due' },
          change,
        }),
        dayField({
          label: 'Placed',
          names: ['startDate', 'endDate'],
          values: [filters.startDate, filters.endDate],
          change,
        }),
        textField({
          label: 'Reference',
          name: 'externalReference',
          value: filters.externalReference,
          change,
        }),
        ...(filters.clientId ? [clientField] : []),
      ]}
    />
  );
}
