import { JsonInput, Select, TextInput } from '@mantine/core';
import { InlineCode } from '../../components/inline-code.tsx';
import { texts } from '../../texts/explorer.ts';
import type { ExplorerField } from './read-openapi.ts';

interface FieldInputProps {
  readonly field: ExplorerField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The control for one input, by its schema. */
export function FieldInput({ field, value, onChange }: FieldInputProps) {
  const common = {
    label: field.name,
    description: field.description && <InlineCode text={field.description} />,
    withAsterisk: field.isRequired,
  };
  if (field.values) {
    return (
      <Select
        {...common}
        value={value || null}
        clearable
        clearButtonProps={{ 'aria-label': texts.clearName(field.name) }}
        data={[...field.values]}
        onChange={(next) => onChange(next ?? '')}
      />
    );
  }
  if (field.kind === 'json') {
    return (
      <JsonInput
        {...common}
        value={value}
        autosize
        minRows={3}
        maxRows={12}
        // Not formatted when the field is left: it would grow, and move the button that is being pressed.
        onChange={onChange}
      />
    );
  }
  return (
    <TextInput
      {...common}
      value={value}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
