import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/components.ts';
import { Modal } from './modal.tsx';

interface ConfirmModalProps {
  /** The question, which names what it is about. */
  readonly title: string;
  /** What happens, and that it cannot be taken back. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmModal({ title, children, confirmLabel, onClose, onConfirm }: ConfirmModalProps) {
  return (
    <Modal opened onClose={onClose} title={<bdi>{title}</bdi>}>
      <Text size="sm">{children}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {texts.keep}
        </Button>
        <Button
          color="red.8"
          data-autofocus
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
