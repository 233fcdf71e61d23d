import type { BrowserContext } from 'playwright-core';
import { createWalletClient, type Hex, hexToString, http, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

interface InjectedWallet {
  readonly name: string;
  readonly privateKey: Hex;
  readonly chainId?: number;
  /** The node of the wallet, which sends its transactions. Without one it only signs. */
  readonly rpcUrl?: string;
  /** Whether it announces itself (EIP-6963), or is only there as `window.ethereum` (EIP-1193). */
  readonly isAnnounced?: boolean;
  /** What its owner answers to a signature, if not yes. */
  readonly refusal?: { readonly code: number; readonly message: string };
}

/**
 * Installs a wallet as a browser extension does: a provider announces itself to each page (EIP-6963), or is a global of it. The key
 * stays outside the page.
 */
export async function installWallet(
  context: BrowserContext,
  { name, privateKey, chainId = 1, rpcUrl, isAnnounced = true, refusal }: InjectedWallet,
): Promise<void> {
  const account = privateKeyToAccount(privateKey);
  const node = rpcUrl ? createWalletClient({ account, transport: http(rpcUrl) }) : null;
  const respond = async (method: string, params: unknown[]): Promise<unknown> => {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [account.address];
      case 'eth_chainId':
        return `0x${chainId.toString(16)}`;
      case 'personal_sign': {
        const [message] = params as [string];
        return account.signMessage({ message: isHex(message) ? hexToString(message) : message });
      }
      case 'eth_signTypedData_v4': {
        const [, typedData] = params as [string, string];
        return account.signTypedData(JSON.parse(typedData));
      }
      case 'eth_sendTransaction': {
        const [{ to, data, value }] = params as [{ to: Hex; data: Hex; value?: Hex }];
        return node?.sendTransaction({ chain: null, to, data, value: BigInt(value ?? 0) });
      }
      default:
        if (!node) throw new Error(`The wallet has no method ${method}`);
        return node.request({ method: method as never, params: params as never });
    }
  };
  await context.exposeFunction('walletRequest', (method: string, params: unknown[]) =>
    respond(method, params ?? []),
  );
  // As text: it runs in the page, whose types are not those of the tests.
  await context.addInitScript(`{
    const provider = {
      request: async ({ method, params }) => {
        const refusal = ${JSON.stringify(refusal ?? null)};
        if (refusal && method === 'personal_sign') throw Object.assign(new Error(refusal.message), refusal);
        return window.walletRequest(method, params);
      },
      on: () => {},
      removeListener: () => {},
    };
    const info = Object.freeze({
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: ${JSON.stringify(name)},
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      rdns: 'example.wallet',
    });
    const announce = () => window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
    if (${isAnnounced}) {
      window.addEventListener('eip6963:requestProvider', announce);
      announce();
    } else window.ethereum = provider;
  }`);
}
