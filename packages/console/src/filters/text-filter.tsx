import { TextInput } from '@mantine/core';
import { useTypedText } from './use-typed-text.ts';

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly inputMode?: 'decimal' | 'text';
  readonly isDisabled?: boolean;
  /** Called a moment after the last key. */
  readonly onChange: (value: string) => void;
}

/** A text or a number that a list is filtered by. Empty for all. */
export function TextFilter({
  label,
  value = '',
  placeholder = 'All',
  inputMode = 'text',
  isDisabled = false,
  onChange,
}: TextFilterProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      inputMode={inputMode}
      disabled={isDisabled}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
