import { Text } from '@mantine/core';
import { UnsavedSecretModal } from '../../components/unsaved-secret-modal.tsx';

interface WebhookSecretModalProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, once. */
export function WebhookSecretModal({ secret, onClose }: WebhookSecretModalProps) {
  return (
    <UnsavedSecretModal title="Save the secret now" secret={secret} onClose={onClose}>
      <Text size="sm">Your storefront verifies each delivery with this secret. It is not shown again.</Text>
    </UnsavedSecretModal>
  );
}
