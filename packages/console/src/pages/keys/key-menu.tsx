import type { ApiKey } from '@keyfront/sdk';
import { Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { Modal } from '../../components/modal.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/keys.ts';
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
    onError: (error) => showFailure(texts.keyWasNotReplaced, error),
    onSettled,
  });
  const revoke = useSingleMutation({
    mutationFn: () => getKeyfront().keys.revoke(key.id),
    onMutate: asking.close,
    onSuccess: () => showSuccess(texts.keyNameIsRevoked(key.keyName)),
    onError: (error) => showFailure(texts.keyWasNotRevoked, error),
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
            aria-label={texts.changeKeyName(key.keyName)}
          >
            {texts.change}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={editing.open}>{texts.edit}</Menu.Item>
          <Menu.Item onClick={() => rotate.mutate()}>{texts.replaceByNewKeyPair}</Menu.Item>
          <Menu.Item onClick={asking.open}>{texts.revoke}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isEditing && <KeyFormDrawer isOpen apiKey={key} onClose={editing.close} />}
      <Modal opened={isAsking} onClose={asking.close} title={texts.revokeKeyName(key.keyName)}>
        <Text size="sm">{texts.everyProgramThatSignsWithThis}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            {texts.keepIt}
          </Button>
          <Button color="red.8" onClick={() => revoke.mutate()}>
            {texts.revoke}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
