import { TextInput } from '@mantine/core';
import { useId } from 'react';
import { texts } from '../texts/filters.ts';
import classes from './range-filter.module.css';
import { useTypedText } from './use-typed-text.ts';

interface RangeFilterProps {
  readonly label: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Shown while nothing is typed. */
  readonly hints: readonly [string, string];
  readonly isDisabled?: boolean;
  readonly onMin: (value: string) => void;
  readonly onMax: (value: string) => void;
}

/** The smallest and the largest number that a list is filtered by. Either may be empty. */
export function RangeFilter({ label, min, max, hints, isDisabled = false, onMin, onMax }: RangeFilterProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a minimal width of its own, which a narrow row cannot give.
    <div role="group" aria-labelledby={id}>
      <span id={id} className={classes.label}>
        {label}
      </span>
      <div className={classes.limits}>
        <Limit
          label={texts.labelFrom(label)}
          value={min}
          hint={hints[0]}
          isDisabled={isDisabled}
          onChange={onMin}
        />
        <span aria-hidden="true">–</span>
        <Limit
          label={texts.labelTo(label)}
          value={max}
          hint={hints[1]}
          isDisabled={isDisabled}
          onChange={onMax}
        />
      </div>
    </div>
  );
}

interface LimitProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly hint: string;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

function Limit({ label, value, hint, isDisabled, onChange }: LimitProps) {
  const { text, type } = useTypedText(value?.toString() ?? '', onChange);
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      placeholder={hint}
      disabled={isDisabled}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
