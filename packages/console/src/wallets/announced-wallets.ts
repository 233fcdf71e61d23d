import { useSyncExternalStore } from 'react';

/** A wallet as it announces itself (EIP-6963). */
export interface AnnouncedWallet {
  readonly uuid: string;
  readonly name: string;
  /** A data URL. */
  readonly icon: string;
}

let wallets: readonly AnnouncedWallet[] = [];
const listeners = new Set<() => void>();

// Asked for here and not by the wallet library, which is as large as half of the console and is loaded for the one that is chosen.
window.addEventListener('eip6963:announceProvider', (event) => {
  const { info } = (event as CustomEvent<{ readonly info: AnnouncedWallet }>).detail;
  if (wallets.some(({ uuid }) => uuid === info.uuid)) return;
  wallets = [...wallets, info];
  for (const listener of listeners) listener();
});
window.dispatchEvent(new Event('eip6963:requestProvider'));

/** The wallets that the browser has. */
export function useAnnouncedWallets(): readonly AnnouncedWallet[] {
  return useSyncExternalStore(subscribe, () => wallets);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
