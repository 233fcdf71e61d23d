import type { RequestOptions } from './call-options.ts';
import type { Explanation, RequestToExplain } from './explain/explain.ts';
import { Admin } from './operations/admin.ts';
import { Auth } from './operations/auth.ts';
import { Carts } from './operations/carts.ts';
import { Clients } from './operations/clients.ts';
import { Health } from './operations/health.ts';
import { Holder } from './operations/holder.ts';
import { Keys } from './operations/keys.ts';
import { NftSales } from './operations/nft-sales.ts';
import { Orders } from './operations/orders.ts';
import { Planets } from './operations/planets.ts';
import { Sales } from './operations/sales.ts';
import { Strains } from './operations/strains.ts';
import { Transactions } from './operations/transactions.ts';
import type { KeyfrontOptions } from './options.ts';
import { readFile } from './requests/read-file.ts';
import { type SignedRequest, Transport } from './requests/transport.ts';
import { signInWallet, type WalletSignIn } from './sign-in.ts';

/** A client of a Keyfront service. */
export class Keyfront {
  readonly admin: Admin;
  readonly auth: Auth;
  readonly carts: Carts;
  readonly clients: Clients;
  readonly health: Health;
  readonly holder: Holder;
  readonly keys: Keys;
  readonly nftSales: NftSales;
  readonly orders: Orders;
  readonly planets: Planets;
  readonly sales: Sales;
  readonly strains: Strains;
  readonly transactions: Transactions;
  // Private to the language: neither JSON nor an inspection shows what is in there.
  readonly #options: KeyfrontOptions;
  readonly #transport: Transport;

  constructor(options: KeyfrontOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
    const call = this.request.bind(this);
    this.admin = new Admin(call);
    this.auth = new Auth(call);
    this.carts = new Carts(call);
    this.clients = new Clients(call);
    this.health = new Health(call);
    this.holder = new Holder(call);
    this.keys = new Keys(call);
    this.nftSales = new NftSales(call);
    this.orders = new Orders(call, (path, request) =>
      readFile(this.#transport, { method: 'GET', path, ...request }),
    );
    this.planets = new Planets(call);
    this.sales = new Sales(call);
    this.strains = new Strains(call);
    this.transactions = new Transactions(call);
  }

  /** The address that paths are put after. */
  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** Calls any operation: signs, sends, retries, and gives the `data` of the answer. */
  async request<Data>(method: string, path: string, options: RequestOptions = {}): Promise<Data> {
    return this.#transport.send<Data>({ method, path, ...options });
  }

  /** All that `request` would send, for use with another HTTP client. */
  sign(method: string, path: string, options: RequestOptions = {}): Promise<SignedRequest> {
    return this.#transport.sign({ method, path, ...options });
  }

  /** Signs a wallet in; gives a client that acts with its token. */
  async signIn(wallet: WalletSignIn): Promise<Keyfront> {
    const token = await signInWallet(this.auth, wallet);
    const noKey = { apiKey: undefined, secretKey: undefined, signer: undefined };
    return new Keyfront({ ...this.#options, ...noKey, token });
  }

  /** What would be signed, byte by byte, and what is wrong with a signature that is refused. */
  async explain(request: RequestToExplain): Promise<Explanation> {
    // Seldom needed, and it brings the arithmetic of the curve along.
    const { explain } = await import('./explain/explain.ts');
    return explain(this.#options, request);
  }
}
