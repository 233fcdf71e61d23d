import type { ReactNode } from 'react';
import { DialogForm, type DialogFormProps } from './dialog-form.tsx';
import { Modal } from './modal.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';

interface FormModalProps extends Omit<DialogFormProps, 'leaving' | 'onCancel'> {
  readonly title: ReactNode;
  readonly size?: string;
  readonly isOpen?: boolean;
  readonly onClose: () => void;
}

/** A form in a dialog. A click beside it does not lose what was entered. */
export function FormModal({ title, size = 'md', isOpen = true, onClose, ...form }: FormModalProps) {
  const [leave, leaving] = useLeaveQuestion(onClose);
  return (
    <Modal opened={isOpen} onClose={leave} size={size} title={title}>
      <DialogForm onCancel={onClose} leaving={leaving} {...form} />
    </Modal>
  );
}
