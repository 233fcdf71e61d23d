import { Stack } from '@mantine/core';
import { useState } from 'react';
import { type Connector, useConnectors, WagmiProvider } from 'wagmi';
import type { SigningWallet } from '../../session/sign-in.ts';
import { openInstalledWallet } from '../../wallets/installed-wallet.ts';
import { walletConfig } from '../../wallets/wallet-config.ts';
import { WalletButton } from './wallet-button.tsx';
import { WalletNotice } from './wallet-notice.tsx';

interface InstalledWalletsProps {
  readonly isBusy: boolean;
  readonly onChoose: (open: () => Promise<SigningWallet>) => void;
}

/** The wallets that the browser has, as they announce themselves (EIP-6963). */
export function InstalledWallets(props: InstalledWalletsProps) {
  return (
    <WagmiProvider config={walletConfig} reconnectOnMount={false}>
      <WalletList {...props} />
    </WagmiProvider>
  );
}

function WalletList({ isBusy, onChoose }: InstalledWalletsProps) {
  const connectors = useConnectors();
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
          hint="Installed"
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
