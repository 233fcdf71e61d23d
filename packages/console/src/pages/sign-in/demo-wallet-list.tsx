import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { shortAddress } from '../../format/short-address.ts';
import { texts } from '../../texts/sign-in.ts';
import { type DemoWallet, fetchDemoWallets, openDemoWallet } from '../../wallets/demo-wallets.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';
import { WalletButton } from './wallet-button.tsx';
import classes from './wallet-list.module.css';

interface DemoWalletListProps {
  readonly isBusy: boolean;
  readonly onChoose: (attempt: SignInAttempt) => void;
}

/** The wallets of the demo, which need nothing installed. Each signs in as what it is. */
export function DemoWalletList({ isBusy, onChoose }: DemoWalletListProps) {
  const { data, error } = useQuery({
    queryKey: ['demo-wallets'],
    queryFn: fetchDemoWallets,
    // Private keys: forgotten with the page that shows them.
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<DemoWallet | null>(null);
  if (error) return <ErrorNotice title={texts.demoWalletsCouldNotBeLoaded} error={error} />;
  if (!data) return <Skeleton height={176} />;
  return (
    <div className={classes.list}>
      {data.map((wallet) => (
        <WalletButton
          key={wallet.walletAddress}
          name={wallet.name}
          hint={shortAddress(wallet.walletAddress)}
          isLoading={isBusy && chosen === wallet}
          disabled={isBusy}
          onClick={() => {
            setChosen(wallet);
            onChoose({
              open: () => openDemoWallet(wallet),
              role: wallet.isAdmin ? 'administrator' : 'holder',
            });
          }}
        />
      ))}
    </div>
  );
}
