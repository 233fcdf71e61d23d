import type { Client } from '@keyfront/sdk';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Modal } from '../../components/modal.tsx';
import { showFailure, showSuccess, showUndo } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { fullName } from '../../format/full-name.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/clients.ts';

interface Toggle {
  readonly isActive: boolean;
  readonly isUndo?: boolean;
}

/** Lets a client order or not, and archives them. */
export function ClientActions({ client }: { readonly client: Client }) {
  const [isAsking, asking] = useDisclosure();
  const [mustErase, setMustErase] = useState(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { listSearch } = useLocation().state;
  const queryKey = ['clients', 'one', client.id];

  const toggle = useSingleMutation({
    mutationFn: ({ isActive }: Toggle) =>
      isActive ? getKeyfront().clients.activate(client.id) : getKeyfront().clients.deactivate(client.id),
    // Shown at once, and taken back with the reason if the service refuses.
    onMutate: async ({ isActive }) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, { ...client, isActive });
      // By the time of an error, `client` is the changed one.
      return client;
    },
    onSuccess: (_client, { isActive, isUndo }) => {
      // What is taken back is not offered to be taken back again.
      if (isUndo) return;
      const name = fullName(client);
      const title = isActive ? texts.clientIsActive(name) : texts.clientIsInactive(name);
      showUndo(title, () => toggle.mutate({ isActive: !isActive, isUndo: true }));
    },
    onError: (error, _toggle, before) => {
      queryClient.setQueryData(queryKey, before);
      showFailure(texts.clientWasNotChanged, error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['clients'] }),
  });
  const archive = useSingleMutation({
    mutationFn: () => getKeyfront().clients.archive(client.id, mustErase ? { erase: 'true' } : {}),
    onSuccess: async () => {
      showSuccess(texts.clientIsArchived(fullName(client)));
      queryClient.removeQueries({ queryKey });
      await navigate({ to: '/clients', search: listSearch ?? {} });
      await queryClient.invalidateQueries({ queryKey: ['clients'] });
    },
    onError: (error) => showFailure(texts.clientWasNotArchived, error),
  });

  return (
    <>
      <Button
        variant="default"
        onClick={() => toggle.mutate({ isActive: !client.isActive })}
        disabled={toggle.isPending}
      >
        {client.isActive ? texts.deactivate : texts.activate}
      </Button>
      <Button variant="default" onClick={asking.open}>
        {texts.archive}
      </Button>
      <Modal opened={isAsking} onClose={asking.close} title={texts.archiveClient(fullName(client))}>
        <Stack>
          <Text size="sm">{texts.clientDisappearsFromAllListsTheir}</Text>
          <Checkbox
            label={texts.alsoErasePersonalDataOnlyWhat}
            checked={mustErase}
            onChange={({ currentTarget }) => setMustErase(currentTarget.checked)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={asking.close}>
              {texts.keep}
            </Button>
            <Button color="red.8" loading={archive.isPending} onClick={() => archive.mutate()}>
              {mustErase ? texts.archiveAndErase : texts.archive}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
