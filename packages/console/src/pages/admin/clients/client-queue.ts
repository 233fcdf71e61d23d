import type { AdminClient, AdminClientDetails } from '@keyfront/sdk';
import { fullName } from '../../../format/full-name.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-clients.ts';
import type { QueueKind } from '../queue/queue-kind.ts';
import { adminClientQuery } from './admin-client-query.ts';
import { ClientPeek } from './client-peek.tsx';
import { ClientSummaryRow } from './client-summary-row.tsx';

/** How clients are shown and decided. Any approval may follow any other. */
export const clientQueue: QueueKind<AdminClient, AdminClientDetails> = {
  noun: 'client',
  icon: 'clients',
  labelOf: fullName,
  pathOf: ({ id }) => `/admin/clients/${id}`,
  Summary: ClientSummaryRow,
  details: adminClientQuery,
  Peek: ClientPeek,
  canDecide: ({ adminApproval }, approval) => adminApproval !== approval,
  isRejectable: () => true,
  decide: (decisions, options) => getKeyfront().admin.clients.decide(decisions, options),
  isReversible: true,
  rejectionEffect: () => texts.noOrdersCanBePlacedFor,
  noteReaders: texts.onlyAdministratorsReadItHoldersSee,
};
