import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/filters.ts';
import { daysAgo } from './local-days.ts';
import { readDay } from './read-filter.ts';
import { useTypedText } from './use-typed-text.ts';

interface DayFilterProps {
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly onFirst: (day: string) => void;
  readonly onLast: (day: string) => void;
  /** All days from this one on. */
  readonly onSince: (day: string) => void;
  readonly onEnter: () => void;
}

/** The first and the last day that a list is filtered by. Either may be empty. */
export function DayFilter({ first, last, onFirst, onLast, onSince, onEnter }: DayFilterProps) {
  return (
    <Stack gap="xs">
      <DayInput label={texts.from} day={first} max={last} onChange={onFirst} onEnter={onEnter} />
      <DayInput label={texts.to} day={last} min={first} onChange={onLast} onEnter={onEnter} />
      {[7, 30].map((days) => (
        <Button key={days} variant="default" size="xs" onClick={() => onSince(daysAgo(days - 1))}>
          {texts.lastDays(days)}
        </Button>
      ))}
    </Stack>
  );
}

interface DayInputProps {
  readonly label: string;
  readonly day: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string) => void;
  readonly onEnter: () => void;
}

function DayInput({ label, day = '', min, max, onChange, onEnter }: DayInputProps) {
  const { text, type, applyNow } = useTypedText(day, onChange);
  const [isWrong, setIsWrong] = useState(false);
  const finish = (field: HTMLInputElement): boolean => {
    const isReady = isComplete(field);
    setIsWrong(!isReady);
    // Browsers do not tell that the last part of a date is deleted, since its value was empty before.
    if (isReady && field.value === '' && day !== '') type('');
    applyNow();
    return isReady;
  };
  return (
    <TextInput
      type="date"
      label={label}
      min={min}
      // Without one, a year may have six digits.
      max={max ?? '2999-12-31'}
      error={isWrong && texts.enterWholeDate}
      value={text}
      onChange={({ currentTarget }) => {
        setIsWrong(false);
        type(currentTarget.value, isComplete(currentTarget));
      }}
      onBlur={({ currentTarget }) => finish(currentTarget)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter' && finish(currentTarget)) onEnter();
      }}
    />
  );
}

/** Whether a field has a day or nothing. Half a date has no value, and a year that is being typed begins as 0002. */
function isComplete({ value, validity }: HTMLInputElement): boolean {
  return value === '' ? !validity.badInput : readDay(value) !== undefined;
}
