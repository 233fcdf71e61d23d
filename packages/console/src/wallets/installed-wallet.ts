import type { Connector } from 'wagmi';
import { connect, signMessage } from 'wagmi/actions';
import type { SigningWallet } from '../session/sign-in.ts';
import { walletConfig } from './wallet-config.ts';

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
