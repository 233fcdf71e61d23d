import type { ReactNode } from 'react';
import { DialogForm, type DialogFormProps } from './dialog-form.tsx';
import { Drawer } from './drawer.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';

interface FormDrawerProps extends Omit<DialogFormProps, 'leaving' | 'onCancel'> {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A form at the side of the page. A click beside it does not lose what was entered. */
export function FormDrawer({ title, isOpen, onClose, ...form }: FormDrawerProps) {
  const [leave, leaving] = useLeaveQuestion(onClose);
  return (
    <Drawer opened={isOpen} onClose={leave} position="right" size={480} title={title}>
      <DialogForm onCancel={onClose} leaving={leaving} {...form} />
    </Drawer>
  );
}
