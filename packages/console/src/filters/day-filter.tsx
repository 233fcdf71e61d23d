import { Stack, TextInput } from '@mantine/core';

interface DayFilterProps {
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly onFirst: (day: string) => void;
  readonly onLast: (day: string) => void;
}

/** The first and the last day that a list is filtered by. Either may be empty. */
export function DayFilter({ first, last, onFirst, onLast }: DayFilterProps) {
  return (
    <Stack gap="xs">
      <TextInput
        type="date"
        label="From"
        {...(last ? { max: last } : {})}
        value={first ?? ''}
        onChange={({ currentTarget }) => onFirst(currentTarget.value)}
      />
      <TextInput
        type="date"
        label="To"
        {...(first ? { min: first } : {})}
        value={last ?? ''}
        onChange={({ currentTarget }) => onLast(currentTarget.value)}
      />
    </Stack>
  );
}
