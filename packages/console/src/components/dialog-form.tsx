import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface DialogFormProps {
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
  readonly onSubmit: (form: FormData) => void;
  readonly children: ReactNode;
}

/** The form of a dialog or a drawer: its fields, and the buttons that end it. */
export function DialogForm({
  submitLabel,
  isPending,
  isDisabled = false,
  onCancel,
  onSubmit,
  children,
}: DialogFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={isDisabled}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
