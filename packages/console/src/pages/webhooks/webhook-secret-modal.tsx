import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyTextButton } from '../../components/copy-button.tsx';

interface WebhookSecretModalProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, once. */
export function WebhookSecretModal({ secret, onClose }: WebhookSecretModalProps) {
  return (
    <Modal
      opened
      // Only the button closes it: what is not saved by then is lost.
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Save the secret now"
    >
      <Stack>
        <Text size="sm">Your storefront verifies each delivery with this secret. It is not shown again.</Text>
        <Code block tabIndex={0}>
          {secret}
        </Code>
        <Group justify="space-between">
          <CopyTextButton value={secret} label="Copy" />
          <Button variant="default" onClick={onClose}>
            I have saved it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
