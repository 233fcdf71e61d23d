import { Menu, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '../components/icon.tsx';
import { ownNfts } from '../session/own-nfts.ts';
import { usePrimaryKeyOfOtherTabs, useSwitchKey } from '../session/primary-key.ts';
import classes from './key-switch.module.css';

/** Chooses the primary digital key, which all pages of a holder are about. */
export function KeySwitch() {
  const { data } = useQuery(ownNfts);
  usePrimaryKeyOfOtherTabs();
  const change = useSwitchKey({ staysOnPage: false });
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
