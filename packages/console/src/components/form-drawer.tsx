import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogForm } from './dialog-form.tsx';

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
export function FormDrawer({ title, isOpen, onClose, ...form }: FormDrawerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} position="right" size={480} title={title}>
      <DialogForm onCancel={onClose} {...form} />
    </Drawer>
  );
}
