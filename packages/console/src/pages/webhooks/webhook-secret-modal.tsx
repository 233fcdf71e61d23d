import { Text } from '@mantine/core';
import { UnsavedSecretModal } from '../../components/unsaved-secret-modal.tsx';
import { texts } from '../../texts/webhooks.ts';

interface WebhookSecretModalProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook, once. */
export function WebhookSecretModal({ secret, onClose }: WebhookSecretModalProps) {
  return (
    <UnsavedSecretModal title={texts.saveSecretNow} secret={secret} onClose={onClose}>
      <Text size="sm">{texts.yourStorefrontVerifiesEachDeliveryWith}</Text>
    </UnsavedSecretModal>
  );
}
