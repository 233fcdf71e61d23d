import { getKeyfront } from '../../../session/keyfront.ts';

/** Everything that a decision about a client needs. */
export const adminClientQuery = (clientId: string) => ({
  queryKey: ['admin', 'client', clientId],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    getKeyfront().admin.clients.get(clientId, { signal }),
});
