import { Menu, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Icon } from '../components/icon.tsx';
import { showFailure } from '../components/toasts.tsx';
import { useKeyfront } from '../session/keyfront.ts';
import { ownNfts } from '../session/own-nfts.ts';
import { followPrimaryKey, usePrimaryKeyOfOtherTabs } from '../session/primary-key.ts';
import classes from './key-switch.module.css';

/** Chooses the primary digital key, which all pages of a holder are about. */
export function KeySwitch() {
  const keyfront = useKeyfront();
  const queryClient = useQueryClient();
  const { data } = useQuery(ownNfts);
  usePrimaryKeyOfOtherTabs();
  const change = useMutation({
    mutationFn: (tokenId: number) => keyfront.holder.setPrimaryNft({ tokenId }),
    onSuccess: (_holder, tokenId) => followPrimaryKey(queryClient, tokenId),
    onError: (error) => showFailure('The digital key was not switched', error),
  });
  if (!data) return <Skeleton width={132} height={36} />;
  const primary = data.nfts.find(({ isPrimary }) => isPrimary);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <Icon name="keys" size={16} />
          <VisuallyHidden>Primary digital key</VisuallyHidden>
          <span className="tabular">{primary ? `#${primary.tokenId}` : 'No key'}</span>
          <bdi className={classes.planet}>{primary?.planet.name}</bdi>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Primary digital key</Menu.Label>
        {data.nfts.map(({ tokenId, planet, isPrimary }) => (
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
