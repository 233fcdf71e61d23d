import { useState } from 'react';
import type { SigningWallet } from '../../session/sign-in.ts';
import { texts } from '../../texts/sign-in.ts';
import {
  type AnnouncedWallet,
  browserWalletName,
  useAnnouncedWallets,
} from '../../wallets/announced-wallets.ts';
import { WalletButton } from './wallet-button.tsx';
import classes from './wallet-list.module.css';
import { WalletNotice } from './wallet-notice.tsx';

interface InstalledWalletsProps {
  readonly isBusy: boolean;
  readonly onChoose: (open: () => Promise<SigningWallet>) => void;
}

/** The wallets that the browser has, as they announce themselves, and one that does not. */
export function InstalledWallets({ isBusy, onChoose }: InstalledWalletsProps) {
  const wallets = useAnnouncedWallets();
  const [chosen, setChosen] = useState<AnnouncedWallet | null>(null);
  if (wallets.length === 0) {
    return (
      <WalletNotice>
        <span>{texts.noWalletWasFoundInThis}</span>
        <span>{texts.installOneSuchAsMetaMaskOr}</span>
      </WalletNotice>
    );
  }
  return (
    <div className={classes.list}>
      {wallets.map((wallet) => (
        <WalletButton
          key={wallet.uuid}
          name={wallet.name}
          hint={wallet.name === browserWalletName ? texts.inThisBrowser : texts.installed}
          iconUrl={wallet.icon}
          isLoading={isBusy && chosen === wallet}
          disabled={isBusy}
          onClick={() => {
            setChosen(wallet);
            onChoose(async () => {
              const { openNamedWallet } = await import('../../wallets/installed-wallet.ts');
              return openNamedWallet(wallet.name);
            });
          }}
        />
      ))}
    </div>
  );
}
