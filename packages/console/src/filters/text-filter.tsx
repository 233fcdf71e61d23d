import { TextInput } from '@mantine/core';
import { useTypedText } from './use-typed-text.ts';

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly inputMode?: 'numeric';
  /** Called a moment after the last key. */
  readonly onChange: (value: string) => void;
  readonly onEnter: () => void;
}

/** A text that a list is filtered by. Empty for all. */
export function TextFilter({ label, value = '', inputMode, onChange, onEnter }: TextFilterProps) {
  const { text, type, applyNow } = useTypedText(value, onChange);
  return (
    <TextInput
      label={label}
      inputMode={inputMode}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key !== 'Enter') return;
        applyNow();
        onEnter();
      }}
    />
  );
}
