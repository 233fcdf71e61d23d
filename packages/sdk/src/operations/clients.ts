import type {
  Client,
  ClientChange,
  ClientListQuery,
  ClientPage,
  ClientStatusBreakdown,
  ClientSummary,
  NewClient,
} from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** The people a storefront sells to. */
export class Clients {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Enters a client, who waits for the administrators' approval. */
  create(client: NewClient, options?: CallOptions): Promise<Client> {
    return this.#call('POST', '/dapp/clients', { ...options, body: client });
  }

  /** One page of the clients that match. */
  list(query: ClientListQuery = {}, options?: CallOptions): Promise<ClientPage> {
    return this.#call('GET', '/dapp/clients', { ...options, query });
  }

  /** One client. */
  async get(clientId: string, options?: CallOptions): Promise<Client> {
    return this.#call('GET', path`/dapp/clients/${clientId}`, options);
  }

  /** Changes the fields that are given. */
  async update(clientId: string, change: ClientChange, options?: CallOptions): Promise<Client> {
    return this.#call('PATCH', path`/dapp/clients/${clientId}`, { ...options, body: change });
  }

  /** How many clients there are, and how many of which kind. */
  summary(options?: CallOptions): Promise<ClientSummary> {
    return this.#call('GET', '/dapp/clients/summary', options);
  }

  /** The shares of the three approvals. */
  statusBreakdown(options?: CallOptions): Promise<ClientStatusBreakdown> {
    return this.#call('GET', '/clients/status-breakdown', options);
  }
}
