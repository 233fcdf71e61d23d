import type { ApiKey } from '@keyfront/sdk';
import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { rotateKey } from './create-key.ts';
import { KeyFormDrawer, keyDraft } from './key-form-drawer.tsx';
import type { NewSecret } from './secret-modal.tsx';

interface KeyMenuProps {
  readonly apiKey: ApiKey;
  readonly onSecret: (secret: NewSecret) => void;
}

/** How long a replaced key is still accepted, so that a storefront can change over. */
const overlapSeconds = 24 * 3_600;

/** Edits, replaces or revokes a key. */
export function KeyMenu({ apiKey: key, onSecret }: KeyMenuProps) {
  const [isEditing, editing] = useDisclosure(readDraft(keyDraft(key)) !== null);
  const [isAsking, asking] = useDisclosure();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const rotate = useSingleMutation({
    mutationFn: () => rotateKey(key.id, overlapSeconds),
    onSuccess: onSecret,
    onError: (error) => showFailure('The key was not replaced', error),
    onSettled,
  });
  const revoke = useSingleMutation({
    mutationFn: () => getKeyfront().keys.revoke(key.id),
    onMutate: asking.close,
    onSuccess: () => showSuccess(`${key.keyName} is revoked`),
    onError: (error) => showFailure('The key was not revoked', error),
    onSettled,
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-sm"
            loading={rotate.isPending || revoke.isPending}
            aria-label={`Change ${key.keyName}`}
          >
            Change
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={editing.open}>Edit</Menu.Item>
          <Menu.Item onClick={() => rotate.mutate()}>Replace by a new key pair</Menu.Item>
          <Menu.Item onClick={asking.open}>Revoke</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && <KeyFormDrawer isOpen apiKey={key} onClose={editing.close} />}
      <Modal opened={isAsking} onClose={asking.close} title={`Revoke ${key.keyName}?`}>
        <Text size="sm">
          Every program that signs with this key is refused at once. A revoked key cannot be used again.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            Keep it
          </Button>
          <Button color="red.8" onClick={() => revoke.mutate()}>
            Revoke
          </Button>
        </Group>
      </Modal>
    </>
  );
}
