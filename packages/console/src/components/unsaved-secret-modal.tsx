import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { texts } from '../texts/components.ts';
import { CopyTextButton } from './copy-button.tsx';
import { Modal } from './modal.tsx';

interface UnsavedSecretModalProps {
  readonly title: string;
  readonly size?: string;
  /** What the secret is for. */
  readonly children: ReactNode;
  readonly secret: string;
  /** Further ways to save it. */
  readonly actions?: ReactNode;
  /** Whether one of them was used. */
  readonly isSaved?: boolean;
  readonly onClose: () => void;
}

/**
 * Shows a secret that is not shown again. Only its button closes it: until then, neither Escape nor a link, the browser's Back or a
 * closed tab makes the secret vanish without a question.
 */
export function UnsavedSecretModal({
  title,
  size = 'md',
  children,
  secret,
  actions,
  isSaved = false,
  onClose,
}: UnsavedSecretModalProps) {
  const [wantedToLeave, setWantedToLeave] = useState(false);
  useBlocker({
    shouldBlockFn: () => {
      setWantedToLeave(true);
      return true;
    },
    enableBeforeUnload: true,
    disabled: isSaved,
  });
  return (
    <Modal
      opened
      size={size}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={title}
    >
      <Stack>
        {children}
        <Code block tabIndex={0} mah={220} style={{ overflow: 'auto' }}>
          {secret}
        </Code>
        {wantedToLeave && !isSaved && (
          <Text size="sm" role="alert">
            {texts.secretUnsavedHint}
          </Text>
        )}
        <Group justify="space-between">
          <Group gap={8}>
            {actions}
            <CopyTextButton value={secret} label={texts.copy} />
          </Group>
          <Button variant="default" onClick={onClose}>
            {isSaved ? texts.done : texts.iHaveSavedIt}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
