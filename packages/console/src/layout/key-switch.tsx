import { useQuery } from '@tanstack/react-query';
import { Icon } from '../components/icon.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { ownNfts } from '../session/own-nfts.ts';
import { usePrimaryKeyOfOtherTabs } from '../session/primary-key.ts';
import { texts } from '../texts/layout.ts';
import { DeferredMenu } from './deferred-menu.tsx';
import classes from './key-switch.module.css';

const loadMenu = async () => (await import('./key-menu.tsx')).KeyMenu;

/** Chooses the primary digital key, which all pages of a holder are about. */
export function KeySwitch() {
  const { data } = useQuery(ownNfts);
  usePrimaryKeyOfOtherTabs();
  if (!data) return <Skeleton width={132} height={36} />;
  const primary = data.nfts.find(({ isPrimary }) => isPrimary);
  return (
    <DeferredMenu
      load={loadMenu}
      target={
        <button type="button" className={`plain-button ${classes.target}`}>
          <Icon name="keys" size={16} />
          <span className="visually-hidden">{texts.primaryDigitalKey}</span>
          <span className="tabular">{primary ? `#${primary.tokenId}` : 'No key'}</span>
          <bdi className={classes.planet}>{primary?.planet.name}</bdi>
        </button>
      }
    />
  );
}
