/** What the service tells the page when it sends it. */
export interface PageSettings {
  /** `locked`: the service has demo wallets, but this browser has not opened the link that the start has printed. */
  readonly demoWallets: 'none' | 'locked' | 'available';
  readonly chainId: number;
  /** Null if the service follows no marketplace contract. */
  readonly marketplaceContract: string | null;
  /** The block explorer of the chain, without a slash at the end. Null if there is none. */
  readonly explorerUrl: string | null;
  /** Whether holders decide in place of administrators and providers. */
  readonly isSandbox: boolean;
}

/** In development, Vite sends the page and fills in nothing. */
const developmentSettings: PageSettings = {
  demoWallets: 'available',
  chainId: 1,
  marketplaceContract: null,
  explorerUrl: null,
  isSandbox: false,
};

/** The settings that the service has written into the page. */
export const pageSettings: PageSettings = import.meta.env.DEV
  ? developmentSettings
  : JSON.parse(readMeta('keyfront-settings'));

/** Allows the style elements that libraries add while the page runs. */
export const styleNonce = readMeta('keyfront-nonce');

function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}
