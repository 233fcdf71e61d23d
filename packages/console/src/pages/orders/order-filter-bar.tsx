import { Text } from '@mantine/core';
import { choiceField, dayField, textField } from '../../filters/fields.tsx';
import type { FilterField } from '../../filters/filter-field.ts';
import { ListFilterBar } from '../../filters/list-filter-bar.tsx';
import type { ListFilterBarProps } from '../../filters/list-filter-bar-props.ts';
import { approvalNames, orderNames, paymentNames } from '../../format/state-names.ts';
import { texts } from '../../texts/orders.ts';
import { type OrderFilters, orderSorts } from './order-filters.ts';

/** Set by the page of a client, and only removed here. */
const clientField: FilterField = {
  label: texts.client,
  names: ['clientId'],
  summary: 'one',
  render: () => <Text size="sm">{texts.ordersOfOneClientAsIts}</Text>,
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
      placeholder={texts.invoiceNameOrEMail}
      sorts={orderSorts}
      fields={(change) => [
        ...(moreFields?.(change) ?? []),
        choiceField({
          label: texts.order,
          name: 'status',
          value: filters.status,
          choices: orderNames,
          change,
        }),
        choiceField({
          label: texts.payment,
          name: 'paymentStatus',
          value: filters.paymentStatus,
          choices: paymentNames,
          change,
        }),
        choiceField({
          label: texts.approval,
          name: 'adminApproval',
          value: filters.adminApproval,
          choices: approvalNames,
          change,
        }),
        choiceField({
          label: texts.refund,
          name: 'refundDue',
          value: filters.refundDue,
          choices: { true: texts.due, false: texts.notDue },
          change,
        }),
        dayField({
          label: texts.placed,
          names: ['startDate', 'endDate'],
          values: [filters.startDate, filters.endDate],
          change,
        }),
        textField({
          label: texts.reference,
          name: 'externalReference',
          value: filters.externalReference,
          change,
        }),
        ...(filters.clientId ? [clientField] : []),
      ]}
    />
  );
}
