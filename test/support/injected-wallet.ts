import type { BrowserContext } from 'playwright-core';
import { type Hex, hexToString, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

interface InjectedWallet {
  readonly name: string;
  readonly privateKey: Hex;
  readonly chainId?: number;
  /** Answers what the wallet itself does not, such as the methods of a node. */
  readonly request?: (method: string, params: unknown) => Promise<unknown>;
}

/** A wallet as browser extensions are: a provider that announces itself to each page (EIP-6963). The key stays outside the page. */
export async function installWallet(
  context: BrowserContext,
  { name, privateKey, chainId = 1, request }: InjectedWallet,
): Promise<void> {
  const account = privateKeyToAccount(privateKey);
  const answer = async (method: string, params: unknown[]): Promise<unknown> => {
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
      default:
        if (request) return request(method, params);
        throw new Error(`The wallet has no method ${method}`);
    }
  };
  await context.exposeFunction('walletRequest', (method: string, params: unknown[]) =>
    answer(method, params ?? []),
  );
  // As text: it runs in the page, whose types are not those of the tests.
  await context.addInitScript(`{
    const provider = {
      request: ({ method, params }) => window.walletRequest(method, params),
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
    window.addEventListener('eip6963:requestProvider', announce);
    announce();
  }`);
}
