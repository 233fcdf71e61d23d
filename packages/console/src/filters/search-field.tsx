import { TextInput } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { texts } from '../texts/filters.ts';
import { useTypedText } from './use-typed-text.ts';

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
  label = texts.search,
  error,
  className,
  onChange,
}: SearchFieldProps) {
  const { text, type } = useTypedText(value, onChange);
  return (
    <TextInput
      {...(className ? { className } : {})}
      aria-label={label}
      error={error}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
