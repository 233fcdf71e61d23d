import { useSyncExternalStore } from 'react';
import { texts } from '../texts/layout.ts';

declare global {
  interface Window {
    readonly ethereum?: unknown;
  }
}

/** A wallet as it announces itself (EIP-6963). */
export interface AnnouncedWallet {
  readonly uuid: string;
  readonly name: string;
  /** A data URL. */
  readonly icon?: string;
}

/** What a wallet that knows no EIP-6963 puts into the page (EIP-1193) does not say its name. */
export const browserWalletName = texts.browserWallet;

const providers = new Map<unknown, AnnouncedWallet>();
let wallets: readonly AnnouncedWallet[] = [];
const listeners = new Set<() => void>();

/** What is in the page beside those that announce themselves is a wallet of its own, unless it is one of them. */
function update(): void {
  const { ethereum } = window;
  const isAlone = ethereum !== undefined && !providers.has(ethereum);
  const byId = new Map([...providers.values()].map((wallet) => [wallet.uuid, wallet]));
  wallets = [...byId.values(), ...(isAlone ? [{ uuid: browserWalletName, name: browserWalletName }] : [])];
  for (const listener of listeners) listener();
}

// Asked for here and not by the wallet library, which is as large as half of the console and is loaded for the one that is chosen.
window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (
    event as CustomEvent<{ readonly info: AnnouncedWallet; readonly provider: unknown }>
  ).detail;
  providers.set(provider, info);
  update();
});
// Some put it there late, and say so.
window.addEventListener('ethereum#initialized', update);
window.dispatchEvent(new Event('eip6963:requestProvider'));
update();

/** The wallets that the browser has. */
export function useAnnouncedWallets(): readonly AnnouncedWallet[] {
  return useSyncExternalStore(subscribe, () => wallets);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
