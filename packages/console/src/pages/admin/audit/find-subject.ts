import { queryOptions, skipToken } from '@tanstack/react-query';
import { getKeyfront } from '../../../session/keyfront.ts';

/** Finds the id of the one order with this invoice number, or of the one client with this name or e-mail address. Null if there is not one. */
export const findSubject = (search: string | undefined) =>
  queryOptions({
    queryKey: ['admin', 'audit-subject', search],
    queryFn:
      search === undefined
        ? skipToken
        : async ({ signal }) => {
            const { admin } = getKeyfront();
            const [{ orders }, { clients }] = await Promise.all([
              admin.orders.list({ search, take: 2 }, { signal }),
              admin.clients.list({ search, take: 2 }, { signal }),
            ]);
            // The search of orders finds those of a client, too.
            const part = search.toUpperCase();
            const found = [...orders.filter(({ invoiceNumber }) => invoiceNumber.includes(part)), ...clients];
            return found.length === 1 ? (found[0]?.id ?? null) : null;
          },
  });
