import { Button, Drawer, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface FormDrawerProps {
  readonly title: ReactNode;
  readonly submitLabel: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (form: FormData) => void;
  readonly children: ReactNode;
}

/** A form at the side of the page. */
export function FormDrawer({
  title,
  submitLabel,
  isOpen,
  isPending,
  onClose,
  onSubmit,
  children,
}: FormDrawerProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size={480} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          <Group justify="flex-end" mt="md">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
