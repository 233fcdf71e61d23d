import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyTextButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { saveFile } from '../../files/save-file.ts';

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
    <Modal
      opened
      size="lg"
      // Only the button closes it: what is not saved by then is lost.
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Save the secret key now"
    >
      <Stack>
        <Text size="sm">
          The secret key of{' '}
          <strong>
            <bdi>{keyName}</bdi>
          </strong>{' '}
          was made in this page. The service does not have it, so nobody can show it to you again.
        </Text>
        <Code block tabIndex={0} mah={220} style={{ overflow: 'auto' }}>
          {environment}
        </Code>
        <Group justify="space-between">
          <Group gap={8}>
            <Button leftSection={<Icon name="download" size={16} />} onClick={save}>
              Download
            </Button>
            <CopyTextButton value={environment} label="Copy" />
          </Group>
          <Button variant="default" onClick={onClose}>
            {isSaved ? 'Done' : 'I have saved it'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
