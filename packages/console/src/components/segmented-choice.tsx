import { useId } from 'react';
import classes from './segmented-choice.module.css';

interface SegmentedChoiceProps<Value extends string> {
  /** What is chosen. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Whether the options share all of the width. */
  readonly isWide?: boolean;
}

/** One of a few options, all of which are shown. */
export function SegmentedChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
  isWide,
}: SegmentedChoiceProps<Value>) {
  const name = useId();
  return (
    <div className={classes.choice} role="radiogroup" aria-label={label} data-wide={isWide}>
      {options.map((option) => (
        <label key={option.value} className={classes.option}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
