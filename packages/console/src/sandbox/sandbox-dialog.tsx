import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Modal } from '../components/modal.tsx';
import { showFailure, showSuccess } from '../components/toasts.tsx';
import { useSingleMutation } from '../components/use-single-mutation.ts';
import { getKeyfront } from '../session/keyfront.ts';
import { ownNfts } from '../session/own-nfts.ts';
import { useSession } from '../session/session-store.ts';
import { texts } from '../texts/sandbox.ts';

/** What a sandbox is, and the reset of the primary digital key. */
export function SandboxDialog({ onClose }: { readonly onClose: () => void }) {
  const isHolder = useSession()?.role === 'holder';
  return (
    <Modal opened onClose={onClose} title={texts.thisIsSandbox}>
      <Stack>
        <Text size="sm">{texts.nothingIsReal}</Text>
        {isHolder && <ResetForm onDone={onClose} />}
      </Stack>
    </Modal>
  );
}

function ResetForm({ onDone }: { readonly onDone: () => void }) {
  const [typed, setTyped] = useState('');
  const { data } = useQuery(ownNfts);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const tokenId = data?.nfts.find(({ isPrimary }) => isPrimary)?.tokenId;
  const reset = useSingleMutation({
    mutationFn: (confirmed: number) => getKeyfront().sandbox.reset({ tokenId: confirmed }),
    onSuccess: async () => {
      showSuccess(texts.keyIsReset(tokenId ?? ''));
      onDone();
      // What the page shows may be gone.
      await navigate({ to: '/' });
      await queryClient.resetQueries();
    },
    onError: (error) => showFailure(texts.keyWasNotReset, error),
  });
  if (tokenId === undefined) return null;
  const name = `#${tokenId}`;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reset.mutate(tokenId);
      }}
    >
      <Stack>
        <Text size="sm">{texts.resetDeletes(name)}</Text>
        <TextInput
          label={texts.typeToReset(name)}
          value={typed}
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" color="red.8" disabled={typed.trim() !== name} loading={reset.isPending}>
            {texts.resetName(name)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
