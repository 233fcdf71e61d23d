import type {
  AdminClient,
  AdminClientChange,
  AdminClientListQuery,
  AdminClientPage,
} from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';
import { path } from './path.ts';

/** The clients of all digital keys. */
export class AdminClients {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page of the clients that match. */
  list(query: AdminClientListQuery = {}, options?: CallOptions): Promise<AdminClientPage> {
    return this.#call('GET', '/admin/clients', { ...options, query });
  }

  /** Approves, rejects, verifies or bars a client. */
  async update(clientId: string, change: AdminClientChange, options?: CallOptions): Promise<AdminClient> {
    return this.#call('PATCH', path`/admin/clients/${clientId}`, { ...options, body: change });
  }
}
