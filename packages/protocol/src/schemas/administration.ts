import { type Static, Type } from 'typebox';
import { errorCodes } from '../errors.ts';
import { AuditEntry } from './audit.ts';
import { AdminClient } from './clients.ts';
import { AdminOrder, OrderDetails, OrderHistory } from './orders.ts';
import { AdminApproval, FilledText, Nullable, StringEnum, Uuid } from './values.ts';

/** What administrators decide by, and how they decide many things at once. */

export const maximumDecisions = 500;

export const Decisions = Type.Object(
  {
    adminApproval: AdminApproval(),
    ids: Type.Array(Uuid('Id of an order or a client'), {
      minItems: 1,
      maxItems: maximumDecisions,
      description: 'What is decided',
    }),
    note: Type.Optional(
      FilledText(1000, 'Why it is rejected. Only with `REJECTED`', 'Payment could not be verified.'),
    ),
  },
  { title: 'Decisions' },
);
export type Decisions = Static<typeof Decisions>;

export const DecisionResults = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          id: Uuid('Id of the order or the client'),
          outcome: StringEnum(['CHANGED', 'UNCHANGED', 'REFUSED'], {
            description: 'UNCHANGED: it was decided so already',
          }),
          code: Nullable(StringEnum(errorCodes, { description: 'Why it was refused' })),
          message: Nullable(Type.String({ description: 'Why it was refused, in words' })),
        },
        { title: 'DecisionResult' },
      ),
      { description: 'In the order of the request, each id once' },
    ),
  },
  { title: 'DecisionResults' },
);
export type DecisionResults = Static<typeof DecisionResults>;

const { client: _client, orderDetails: _orderDetails, ...orderFields } = OrderDetails.properties;

const latestOrders = (description: string) =>
  Type.Array(AdminOrder, { description: `${description}, newest first, at most 10` });

export const AdminOrderDetails = Type.Object(
  {
    ...orderFields,
    client: AdminClient,
    ...OrderHistory.properties,
    otherOrders: latestOrders('Other orders of the client'),
  },
  { title: 'AdminOrderDetails', description: 'An order with everything that a decision needs' },
);
export type AdminOrderDetails = Static<typeof AdminOrderDetails>;

export const AdminClientDetails = Type.Object(
  {
    ...AdminClient.properties,
    orders: latestOrders('Orders of the client'),
    history: Type.Array(AuditEntry, {
      description:
        'What administrators and providers have changed, and who has read the medical record, newest first, at most 50',
    }),
  },
  { title: 'AdminClientDetails', description: 'A client with everything that a decision needs' },
);
export type AdminClientDetails = Static<typeof AdminClientDetails>;
