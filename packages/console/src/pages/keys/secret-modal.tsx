import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { UnsavedSecretModal } from '../../components/unsaved-secret-modal.tsx';
import { saveFile } from '../../files/save-file.ts';
import { texts } from '../../texts/keys.ts';

/** A key pair that was just made. It is stored nowhere. */
export interface NewSecret {
  readonly keyName: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

interface SecretModalProps {
  readonly secret: NewSecret;
  readonly onClose: () => void;
}

/** Lets the visitor save the secret key, once. */
export function SecretModal({ secret, onClose }: SecretModalProps) {
  const [isSaved, setIsSaved] = useState(false);
  const { keyName, apiKey, secretKey } = secret;
  const environment = `KEYFRONT_API_KEY=${apiKey}\nKEYFRONT_SECRET_KEY=${secretKey}\n`;
  const save = () => {
    const name = keyName.replace(/[^\w-]+/g, '-').slice(0, 60);
    saveFile(`keyfront-${name}.env`, new Blob([environment], { type: 'text/plain' }));
    setIsSaved(true);
  };
  return (
    <UnsavedSecretModal
      title={texts.saveSecretKeyNow}
      size="lg"
      secret={environment}
      isSaved={isSaved}
      actions={
        <Button leftSection={<Icon name="download" size={16} />} onClick={save}>
          {texts.download}
        </Button>
      }
      onClose={onClose}
    >
      <Text size="sm">
        {texts.secretKeyOf}{' '}
        <strong>
          <bdi>{keyName}</bdi>
        </strong>{' '}
        {texts.wasMadeInThisPageService}
      </Text>
    </UnsavedSecretModal>
  );
}
