import { Stack, TextInput } from '@mantine/core';
import { texts } from '../texts/filters.ts';

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
        label={texts.from}
        {...(last ? { max: last } : {})}
        value={first ?? ''}
        onChange={({ currentTarget }) => onFirst(currentTarget.value)}
      />
      <TextInput
        type="date"
        label={texts.to}
        {...(first ? { min: first } : {})}
        value={last ?? ''}
        onChange={({ currentTarget }) => onLast(currentTarget.value)}
      />
    </Stack>
  );
}
