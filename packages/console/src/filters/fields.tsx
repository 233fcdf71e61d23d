import { formatNumber } from '../format/format-number.ts';
import { locale } from '../format/locale.ts';
import { texts } from '../texts/filters.ts';
import { DayFilter } from './day-filter.tsx';
import type { ChangeFilters, FilterField } from './filter-field.ts';
import { OptionList } from './option-list.tsx';
import { RangeFilter } from './range-filter.tsx';
import { TextFilter } from './text-filter.tsx';

interface FieldOf<Value> {
  readonly label: string;
  /** In the URL. */
  readonly name: string;
  readonly value: Value | undefined;
  readonly change: ChangeFilters;
}

/** One of some values, with their names. */
export function choiceField({
  label,
  name,
  value,
  change,
  choices,
}: FieldOf<string> & { readonly choices: Readonly<Record<string, string>> }): FilterField {
  return {
    label,
    names: [name],
    summary: value && (choices[value] ?? value),
    render: (close) => (
      <OptionList
        options={Object.entries(choices).map(([key, text]) => ({ value: key, label: text }))}
        chosen={value === undefined ? [] : [value]}
        onChoose={(chosen) => {
          change({ [name]: chosen });
          close();
        }}
      />
    ),
  };
}

/** A text. */
export function textField({
  label,
  name,
  value,
  change,
  inputMode,
}: FieldOf<string> & { readonly inputMode?: 'numeric' }): FilterField {
  return {
    label,
    names: [name],
    summary: value,
    render: (close) => (
      <TextFilter
        label={label}
        value={value}
        {...(inputMode ? { inputMode } : {})}
        onChange={(text) => change({ [name]: text }, name)}
        onEnter={close}
      />
    ),
  };
}

/** The token id of one digital key. */
export function tokenField(value: string | undefined, change: ChangeFilters): FilterField {
  return textField({ label: texts.digitalKey, name: 'tokenId', value, change, inputMode: 'numeric' });
}

interface RangeFieldOf<Value> {
  readonly label: string;
  readonly names: readonly [string, string];
  readonly values: readonly [Value | undefined, Value | undefined];
  readonly change: ChangeFilters;
}

/** The smallest and the largest number. */
export function rangeField({
  label,
  names,
  values: [min, max],
  change,
  hints,
  obstacle,
}: RangeFieldOf<number> & {
  readonly hints: readonly [string, string];
  readonly obstacle?: string | undefined;
}): FilterField {
  return {
    label,
    names,
    summary: describeRange(describeLimit(min), describeLimit(max)),
    obstacle,
    render: () => (
      <RangeFilter
        label={label}
        min={min}
        max={max}
        hints={hints}
        onMin={(value) => change({ [names[0]]: value }, names[0])}
        onMax={(value) => change({ [names[1]]: value }, names[1])}
      />
    ),
  };
}

/** The first and the last day. */
export function dayField({ label, names, values: [first, last], change }: RangeFieldOf<string>): FilterField {
  return {
    label,
    names,
    summary: describeRange(first && nameDay(first), last && nameDay(last)),
    render: (close) => (
      <DayFilter
        first={first}
        last={last}
        onFirst={(value) => change({ [names[0]]: value }, names[0])}
        onLast={(value) => change({ [names[1]]: value }, names[1])}
        onSince={(day) => {
          change({ [names[0]]: day, [names[1]]: null });
          close();
        }}
        onEnter={close}
      />
    ),
  };
}

function describeLimit(limit: number | undefined): string | undefined {
  return limit === undefined ? undefined : formatNumber(limit);
}

function describeRange(first: string | undefined, last: string | undefined): string | undefined {
  if (first === undefined) return last && texts.toLast(last);
  return last === undefined ? texts.fromFirst(first) : `${first} – ${last}`;
}

const dayName = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function nameDay(day: string): string {
  return dayName.format(new Date(day));
}
