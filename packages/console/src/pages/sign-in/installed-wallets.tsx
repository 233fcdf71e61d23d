import { Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type Connector, useConnectors, WagmiProvider } from 'wagmi';
import type { SigningWallet } from '../../session/sign-in.ts';
import { openInstalledWallet } from '../../wallets/installed-wallet.ts';
import { browserWallet, walletConfig } from '../../wallets/wallet-config.ts';
import { WalletButton } from './wallet-button.tsx';
import { WalletNotice } from './wallet-notice.tsx';

interface InstalledWalletsProps {
  readonly isBusy: boolean;
  readonly onChoose: (open: () => Promise<SigningWallet>) => void;
}

/** The wallets that the browser has, as they announce themselves (EIP-6963), and one that does not. */
export function InstalledWallets(props: InstalledWalletsProps) {
  return (
    <WagmiProvider config={walletConfig} reconnectOnMount={false}>
      <WalletList {...props} />
    </WagmiProvider>
  );
}

function WalletList({ isBusy, onChoose }: InstalledWalletsProps) {
  const connectors = useOfferedWallets();
  const [chosen, setChosen] = useState<Connector | null>(null);
  if (connectors.length === 0) {
    return (
      <WalletNotice>
        No wallet was found in this browser. Install one, such as MetaMask or Rabby, and load this page again.
      </WalletNotice>
    );
  }
  return (
    <Stack gap={8}>
      {connectors.map((connector) => (
        <WalletButton
          key={connector.uid}
          name={connector.name}
          hint={connector.id === browserWallet.id ? 'In this browser' : 'Installed'}
          iconUrl={connector.icon}
          isLoading={isBusy && chosen === connector}
          disabled={isBusy}
          onClick={() => {
            setChosen(connector);
            onChoose(() => openInstalledWallet(connector));
          }}
        />
      ))}
    </Stack>
  );
}

/** All that announce themselves. What is in the page beside them is a wallet of its own, unless it is one of them. */
function useOfferedWallets(): readonly Connector[] {
  const connectors = useConnectors();
  const [isAlone, setIsAlone] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    const look = async () => {
      const announced = connectors.filter(({ id }) => id !== browserWallet.id);
      const providers = await Promise.all(announced.map((connector) => connector.getProvider()));
      const { ethereum } = window;
      if (isCurrent) setIsAlone(ethereum !== undefined && !providers.includes(ethereum));
    };
    void look();
    // Some put it there late, and say so.
    window.addEventListener('ethereum#initialized', look);
    return () => {
      isCurrent = false;
      window.removeEventListener('ethereum#initialized', look);
    };
  }, [connectors]);
  return connectors.filter(({ id }) => id !== browserWallet.id || isAlone);
}
