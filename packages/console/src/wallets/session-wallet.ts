import type { NftSaleTypedData } from '@keyfront/sdk';
import { pageSettings } from '../page-settings.ts';
import type { Session } from '../session/session-store.ts';

/** A wallet that signs typed data (EIP-712). */
interface TypedDataSigner {
  signTypedData(typedData: NftSaleTypedData): Promise<string>;
}

/** Opens the wallet that has signed in. Loads the code of wallets, so only pages that sign call it. */
export async function openSessionWallet(session: Session): Promise<TypedDataSigner> {
  return (await findDemoSigner(session)) ?? openInstalledSigner(session);
}

async function findDemoSigner({ walletAddress }: Session): Promise<TypedDataSigner | null> {
  if (!pageSettings.demo) return null;
  const { fetchDemoWallets } = await import('./demo-wallets.ts');
  const wallet = (await fetchDemoWallets()).find((each) => each.walletAddress === walletAddress);
  if (!wallet) return null;
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(wallet.walletPrivateKey);
  return { signTypedData: (typedData) => account.signTypedData(forViem(typedData)) };
}

async function openInstalledSigner({ walletAddress, walletName }: Session): Promise<TypedDataSigner> {
  const [{ walletConfig }, { openInstalledWallet }, { getConnectors, signTypedData }] = await Promise.all([
    import('./wallet-config.ts'),
    import('./installed-wallet.ts'),
    import('wagmi/actions'),
  ]);
  const connector = getConnectors(walletConfig).find(({ name }) => name === walletName);
  if (!connector) throw new Error(`${walletName} is not installed in this browser`);
  const { address } = await openInstalledWallet(connector);
  if (address.toLowerCase() !== walletAddress.toLowerCase()) {
    throw new Error(`Choose the account ${walletAddress} in ${walletName}, and try again`);
  }
  return {
    signTypedData: (typedData) =>
      signTypedData(walletConfig, { ...forViem(typedData), account: address as `0x${string}`, connector }),
  };
}

/** The typed data as viem takes it: the type of the domain is added there. */
function forViem({ domain, types, primaryType, message }: NftSaleTypedData) {
  const { EIP712Domain: _domainType, ...messageTypes } = types;
  return {
    domain: { ...domain, verifyingContract: domain.verifyingContract as `0x${string}` },
    types: messageTypes as Record<string, { name: string; type: string }[]>,
    primaryType,
    message: message as Record<string, unknown>,
  };
}
