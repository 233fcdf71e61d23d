import { Icon } from '../components/icon.tsx';
import { shortAddress } from '../format/short-address.ts';
import type { Session } from '../session/session-store.ts';
import { texts } from '../texts/layout.ts';
import classes from './account-button.module.css';
import { DeferredMenu } from './deferred-menu.tsx';

const loadMenu = async () => (await import('./account-menu.tsx')).AccountMenu;

/** Opens the menu of the account. */
export function AccountButton({ session }: { readonly session: Session }) {
  return (
    <DeferredMenu
      load={loadMenu}
      target={
        <button
          type="button"
          className={`plain-button ${classes.button}`}
          aria-label={texts.accountWalletAddress(shortAddress(session.walletAddress))}
        >
          <Icon name={session.role === 'administrator' ? 'queue' : 'clients'} />
        </button>
      }
    />
  );
}
