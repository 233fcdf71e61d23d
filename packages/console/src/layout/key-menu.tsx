import { Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '../components/icon.tsx';
import { showFailure } from '../components/toasts.tsx';
import { useKeyfront } from '../session/keyfront.ts';
import { ownNfts } from '../session/own-nfts.ts';
import { followPrimaryKey } from '../session/primary-key.ts';

/** The digital keys of the holder, to choose the primary one. */
export function KeyMenu({ target }: { readonly target: ReactElement }) {
  const keyfront = useKeyfront();
  const queryClient = useQueryClient();
  const { data } = useQuery(ownNfts);
  const change = useMutation({
    mutationFn: (tokenId: number) => keyfront.holder.setPrimaryNft({ tokenId }),
    onSuccess: (_holder, tokenId) => followPrimaryKey(queryClient, tokenId),
    onError: (error) => showFailure('The digital key was not switched', error),
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Primary digital key</Menu.Label>
        {data?.nfts.map(({ tokenId, planet, isPrimary }) => (
          <Menu.Item
            key={tokenId}
            disabled={change.isPending}
            rightSection={isPrimary ? <Icon name="check" size={16} /> : null}
            onClick={() => {
              if (!isPrimary) change.mutate(tokenId);
            }}
          >
            #{tokenId} · <bdi>{planet.name}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
