import type { Connector } from 'wagmi';
import { connect, getConnectors, signMessage } from 'wagmi/actions';
import type { SigningWallet } from '../session/sign-in.ts';
import { walletConfig } from './wallet-config.ts';

/** The installed wallet with this name. */
export function findConnector(walletName: string): Connector {
  const connector = getConnectors(walletConfig).find(({ name }) => name === walletName);
  if (!connector) throw new Error(`${walletName} is not installed in this browser`);
  return connector;
}

export function openNamedWallet(walletName: string): Promise<SigningWallet> {
  return openInstalledWallet(findConnector(walletName));
}

/** Asks the wallet for an account, and returns it as one that signs. */
export async function openInstalledWallet(connector: Connector): Promise<SigningWallet> {
  const isConnected = walletConfig.state.connections.has(connector.uid);
  const accounts = isConnected
    ? await connector.getAccounts()
    : (await connect(walletConfig, { connector })).accounts;
  const [account] = accounts;
  if (!account) throw new Error(`${connector.name} has shared no account`);
  return {
    name: connector.name,
    address: account,
    signMessage: (message) => signMessage(walletConfig, { account, connector, message }),
  };
}
