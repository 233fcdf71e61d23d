import { SegmentedControl } from '@mantine/core';
import { approvalNames } from '../../../format/state-names.ts';

interface Filters {
  readonly adminApproval?: string;
}

interface ApprovalFilterProps<Chosen extends Filters> {
  readonly label: string;
  readonly filters: Chosen;
  readonly onChange: (filters: Chosen) => void;
}

/** Chooses between what waits for a decision, what was decided, and everything. */
export function ApprovalFilter<Chosen extends Filters>({
  label,
  filters,
  onChange,
}: ApprovalFilterProps<Chosen>) {
  return (
    <SegmentedControl
      aria-label={label}
      value={filters.adminApproval ?? 'ALL'}
      onChange={(value) => {
        const { adminApproval: _adminApproval, ...others } = filters;
        onChange((value === 'ALL' ? others : { ...others, adminApproval: value }) as Chosen);
      }}
      data={[
        ...Object.entries(approvalNames).map(([value, label]) => ({ value, label })),
        { value: 'ALL', label: 'All' },
      ]}
    />
  );
}
