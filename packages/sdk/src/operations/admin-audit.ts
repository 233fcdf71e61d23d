import type { AuditListQuery, AuditPage } from '@keyfront/protocol';
import type { CallOptions } from '../call-options.ts';
import type { Call } from './call.ts';

/** What administrators did. */
export class AdminAudit {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** One page of it, the latest first. */
  list(query: AuditListQuery = {}, options?: CallOptions): Promise<AuditPage> {
    return this.#call('GET', '/admin/audit', { ...options, query });
  }
}
