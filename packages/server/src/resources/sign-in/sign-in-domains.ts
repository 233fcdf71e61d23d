import { administratorSignInType } from '@keyfront/protocol';
import type { ExpectedMessage } from './check-sign-in-message.ts';

/** What messages of one domain must contain. */
export interface SignInDomain extends ExpectedMessage {
  /** The domain in the nonces that are bound to it. Null: that of the service itself. */
  readonly nonceDomain: string | null;
}

export interface SignInDomainSettings {
  /** Functions, because the base URL may be known only when the service listens. */
  readonly domain: () => string;
  readonly uri: () => string;
  /** The domains of storefronts, at which wallets may sign in as well. */
  readonly otherDomains?: readonly string[];
  readonly chainId: number;
}

/** The domains at which wallets may sign in. */
export class SignInDomains {
  readonly #settings: SignInDomainSettings;

  constructor(settings: SignInDomainSettings) {
    this.#settings = settings;
  }

  /** The domain of the service itself. */
  get own(): SignInDomain {
    const { domain, uri, chainId } = this.#settings;
    return { domain: domain(), uri: uri(), chainId, nonceDomain: null };
  }

  /** Finds an allowed domain. Domains are compared exactly: a wallet shows the one in the message. */
  find(domain: string): SignInDomain | null {
    const { own } = this;
    if (domain === own.domain) return own;
    if (!this.#settings.otherDomains?.includes(domain)) return null;
    return { domain, uri: originOf(domain), chainId: own.chainId, nonceDomain: domain };
  }

  /**
   * Whether a wallet may sign in for this type at a domain. Administrators sign in at that of the service only: a storefront may
   * not ask a wallet for rights over the whole platform.
   */
  allowsType(type: string, { nonceDomain }: SignInDomain): boolean {
    return nonceDomain === null || type !== administratorSignInType;
  }

  /** Every allowed domain, that of the service first. */
  get names(): string[] {
    return [...new Set([this.own.domain, ...(this.#settings.otherDomains ?? [])])];
  }
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Pages of a developer's own machine are served without TLS. */
function originOf(domain: string): string {
  return `${loopback.test(domain) ? 'http' : 'https'}://${domain}`;
}
