import type { NftSaleTypedData } from '@keyfront/sdk';
import type { Account, Chain, Client, Hex, Transport } from 'viem';
import { pageSettings } from '../page-settings.ts';
import type { Session } from '../session/session-store.ts';

/** The way to the chain: through the wallet, because the page may connect to no other host. */
export type ChainClient = Client<Transport, Chain, Account>;

/** The wallet that has signed in. */
export interface SessionWallet {
  readonly name: string;
  /** Signs typed data (EIP-712). */
  signTypedData(typedData: NftSaleTypedData): Promise<Hex>;
  /** Lets the wallet use the chain of the service. Null if it has no node, like the wallets of the demo. */
  readonly openChain: (() => Promise<ChainClient>) | null;
}

/** Opens the wallet that has signed in. Loads the code of wallets, so only pages that sign call it. */
export async function openSessionWallet(session: Session): Promise<SessionWallet> {
  return (await findDemoWallet(session)) ?? openInstalledWallet(session);
}

async function findDemoWallet({ walletAddress, walletName }: Session): Promise<SessionWallet | null> {
  if (pageSettings.demoWallets !== 'available') return null;
  const { fetchDemoWallets } = await import('./demo-wallets.ts');
  const wallet = (await fetchDemoWallets()).find(
    (each) => each.name === walletName && each.walletAddress === walletAddress,
  );
  if (!wallet) return null;
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(wallet.walletPrivateKey);
  return {
    name: walletName,
    signTypedData: (typedData) => account.signTypedData(forViem(typedData)),
    openChain: null,
  };
}

async function openInstalledWallet({ walletAddress, walletName }: Session): Promise<SessionWallet> {
  const [{ walletConfig }, installed, actions] = await Promise.all([
    import('./wallet-config.ts'),
    import('./installed-wallet.ts'),
    import('wagmi/actions'),
  ]);
  const connector = installed.findConnector(walletName);
  const { address } = await installed.openInstalledWallet(connector);
  if (address.toLowerCase() !== walletAddress.toLowerCase()) {
    throw new Error(`Choose the account ${walletAddress} in ${walletName}, and try again`);
  }
  const account = address as Hex;
  return {
    name: walletName,
    signTypedData: (typedData) =>
      actions.signTypedData(walletConfig, { ...forViem(typedData), account, connector }),
    openChain: async () => {
      const { chainId } = pageSettings;
      if ((await connector.getChainId()) !== chainId) {
        await actions.switchChain(walletConfig, { chainId, connector }).catch(() => {
          throw new Error(`Choose the chain ${chainId} in ${walletName}, and try again`);
        });
      }
      const client = await actions.getConnectorClient(walletConfig, { chainId, account, connector });
      return client as ChainClient;
    },
  };
}

/** The typed data as viem takes it: the type of the domain is added there. */
function forViem({ domain, types, primaryType, message }: NftSaleTypedData) {
  const { EIP712Domain: _domainType, ...messageTypes } = types;
  return {
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
    types: messageTypes as Record<string, { name: string; type: string }[]>,
    primaryType,
    message: message as Record<string, unknown>,
  };
}
