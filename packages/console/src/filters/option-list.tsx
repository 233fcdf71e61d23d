import { TextInput, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { Icon } from '../components/icon.tsx';
import { texts } from '../texts/filters.ts';
import classes from './option-list.module.css';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Stands at the end of the row: a number, or why the option cannot be chosen. */
  readonly hint?: string | undefined;
  readonly isDisabled?: boolean;
}

interface OptionListProps {
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChoose: (value: string) => void;
}

/** From this number on, typing is faster than looking. */
const longList = 10;

/** Options to choose from, with the arrow keys or by typing a part of a long list. */
export function OptionList({ options, chosen, onChoose }: OptionListProps) {
  const [text, setText] = useState('');
  const shown = options.filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button:enabled')];
    const position = stops.indexOf(document.activeElement as HTMLElement);
    stops.at((position + step) % stops.length)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are a shorter way between buttons that Tab reaches too.
    <div onKeyDown={onKeyDown}>
      {options.length >= longList && (
        <TextInput
          aria-label={texts.find}
          placeholder={texts.find}
          mb={6}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ul className={classes.list}>
        {shown.map(({ value, label, hint, isDisabled = false }) => (
          <li key={value}>
            <UnstyledButton
              className={classes.option}
              disabled={isDisabled}
              aria-pressed={chosen.includes(value)}
              onClick={() => onChoose(value)}
            >
              <bdi className={classes.label}>{label}</bdi>
              {hint && <span className={classes.hint}>{hint}</span>}
              {chosen.includes(value) && <Icon name="check" size={14} />}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={classes.nothing}>{texts.nothingFound}</p>}
    </div>
  );
}
