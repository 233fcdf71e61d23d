import { SegmentedChoice } from '../../../components/segmented-choice.tsx';
import { approvalNames } from '../../../format/state-names.ts';
import { texts } from '../../../texts/admin-queue.ts';

/** The filters that each approval stands for. */
type Choices = Readonly<Record<keyof typeof approvalNames, Readonly<Record<string, string>>>>;

interface ApprovalFilterProps<Filters extends object> {
  readonly label: string;
  readonly choices: Choices;
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

/** Chooses between what waits for a decision, what was decided, and everything. */
export function ApprovalFilter<Filters extends object>({
  label,
  choices,
  filters,
  onChange,
}: ApprovalFilterProps<Filters>) {
  return (
    <SegmentedChoice
      label={label}
      value={chosenFilter(choices, filters)}
      onChange={(value) => {
        const names = new Set(Object.values(choices).flatMap(Object.keys));
        const others = Object.entries(filters).filter(([name]) => !names.has(name));
        const chosen = value === 'ALL' ? {} : choices[value as keyof Choices];
        onChange({ ...Object.fromEntries(others), ...chosen } as Filters);
      }}
      options={[
        ...Object.entries(approvalNames).map(([value, name]) => ({ value, label: name })),
        { value: 'ALL', label: texts.all },
      ]}
    />
  );
}

/** The choice whose filters these are, `ALL` without any of them, and an empty text for other combinations. */
export function chosenFilter(choices: Choices, filters: object): string {
  const own = new Map(Object.entries(filters));
  const found = Object.entries(choices).find(([, fields]) =>
    Object.entries(fields).every(([name, value]) => own.get(name) === value),
  );
  const names = Object.values(choices).flatMap(Object.keys);
  return found?.[0] ?? (names.some((name) => own.has(name)) ? '' : 'ALL');
}
