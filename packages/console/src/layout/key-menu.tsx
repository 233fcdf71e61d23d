import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Icon } from '../components/icon.tsx';
import { ownNfts } from '../session/own-nfts.ts';
import { useSwitchKey } from '../session/primary-key.ts';
import { texts } from '../texts/layout.ts';

/** The digital keys of the holder, to choose the primary one. */
export function KeyMenu({ target }: { readonly target: ReactElement }) {
  const { data } = useQuery(ownNfts);
  const change = useSwitchKey({ staysOnPage: false });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.primaryDigitalKey}</Menu.Label>
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
