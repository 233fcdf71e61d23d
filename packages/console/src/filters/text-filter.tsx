import { TextInput } from '@mantine/core';
import { useTypedText } from './use-typed-text.ts';

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Called a moment after the last key. */
  readonly onChange: (value: string) => void;
}

/** A text that a list is filtered by. Empty for all. */
export function TextFilter({ label, value = '', onChange }: TextFilterProps) {
  const [text, setText] = useTypedText(value, onChange);
  return (
    <TextInput
      label={label}
      placeholder="All"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
