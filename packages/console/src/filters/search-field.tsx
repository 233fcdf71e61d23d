import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Icon } from '../components/icon.tsx';

interface SearchFieldProps {
  readonly value: string;
  readonly placeholder: string;
  readonly label?: string;
  /** What is wrong with the text. */
  readonly error?: string | undefined;
  readonly className?: string | undefined;
  /** Called a moment after the last key. */
  readonly onChange: (value: string) => void;
}

/** The text to search for. */
export function SearchField({
  value,
  placeholder,
  label = 'Search',
  error,
  className,
  onChange,
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const changeSoon = useDebouncedCallback(onChange, 250);
  // The URL may change without this field, by a link or by going back. A blank at the end may be followed by another word.
  useEffect(() => setText((typed) => (typed.trim() === value ? typed : value)), [value]);
  return (
    <TextInput
      {...(className ? { className } : {})}
      label={label}
      error={error}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        // Pasted texts often end with a blank, with which nothing is found.
        changeSoon(currentTarget.value.trim());
      }}
    />
  );
}
