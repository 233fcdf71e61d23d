import { type Static, Type } from 'typebox';
import { ClientContact } from './clients.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Count, Nullable, StringEnum, Timestamp, Untrusted, Uuid } from './values.ts';

/** Stages of the sales pipeline. Any stage may follow any other. */
export const saleStages = ['LEADS', 'ONGOING', 'CLOSED'] as const;
export type SaleStage = (typeof saleStages)[number];

/** The orders of a list of sales. */
export const saleSorts = ['createdAt:desc', 'updatedAt:desc'] as const;
export type SaleSort = (typeof saleSorts)[number];

const stage = () =>
  StringEnum(saleStages, { description: 'Stage in the sales pipeline', title: 'SaleStage' });
const description = () =>
  Type.String({ maxLength: 2000, description: 'Notes about the sale', examples: ['Asked for a sample'] });

export const Sale = Type.Object(
  {
    id: Uuid('Id of the sale'),
    stage: stage(),
    description: Untrusted(
      Type.String({ description: 'Notes about the sale', examples: ['Asked for a sample'] }),
    ),
    clientId: Nullable(Uuid('Id of the client; null for the sale of the digital key itself')),
    client: Nullable(ClientContact),
    orderId: Nullable(Uuid('Id of the order that the sale led to')),
    createdAt: Timestamp('When the sale was created'),
    updatedAt: Timestamp('When the sale last changed'),
  },
  { title: 'Sale', description: 'An entry of the sales pipeline' },
);
export type Sale = Static<typeof Sale>;

export const NewSale = Type.Object(
  {
    clientId: Uuid('Id of the client'),
    stage: Type.Optional(
      StringEnum(saleStages, { default: 'LEADS', description: 'Stage in the sales pipeline' }),
    ),
    description: Type.Optional(description()),
  },
  { title: 'NewSale' },
);
export type NewSale = Static<typeof NewSale>;

export const SaleChange = Type.Object(
  { stage: Type.Optional(stage()), description: Type.Optional(description()) },
  { title: 'SaleChange', minProperties: 1 },
);
export type SaleChange = Static<typeof SaleChange>;

export const SalePage = Type.Object(
  { sales: Type.Array(Sale), pageMetaDto: PageMeta },
  { title: 'SalePage' },
);
export type SalePage = Static<typeof SalePage>;

export const SaleUpdateQuery = Type.Object({
  id: Type.Optional(Uuid('Id of the sale. The default is the sale of the digital key itself.')),
});
export type SaleUpdateQuery = Static<typeof SaleUpdateQuery>;

export const SaleListQuery = Type.Object({
  ...pageQueryFields,
  orderBy: Type.Optional(
    StringEnum(saleSorts, {
      default: 'createdAt:desc',
      description: 'Sort order: newest first, or the one that changed last first',
    }),
  ),
  stage: Type.Optional(StringEnum(saleStages, { description: 'Only sales in this stage' })),
  clientId: Type.Optional(Uuid('Only sales of this client')),
  orderId: Type.Optional(Uuid('Only the sale of this order')),
});
export type SaleListQuery = Static<typeof SaleListQuery>;

const stageCounts = {
  LEADS: Count('Sales in this stage', 7),
  ONGOING: Count('Sales in this stage', 4),
  CLOSED: Count('Sales in this stage', 1),
};

export const SaleSummary = Type.Object(
  {
    total: Count('All sales', 12),
    stages: Type.Object(stageCounts),
    summary: Type.Object({ ...stageCounts, totalCount: Count('All sales', 12) }),
  },
  { title: 'SaleSummary' },
);
export type SaleSummary = Static<typeof SaleSummary>;

export const SaleHistory = Type.Object(
  {
    history: Type.Array(
      Type.Object(
        {
          stage: stage(),
          description: Untrusted(Type.String({ description: 'Notes about the sale' })),
          changedAt: Timestamp('When the sale entered this state'),
        },
        { title: 'SaleHistoryEntry' },
      ),
      { description: 'Oldest first' },
    ),
    pageMetaDto: PageMeta,
  },
  { title: 'SaleHistory' },
);
export type SaleHistory = Static<typeof SaleHistory>;

export const SaleHistoryQuery = Type.Object(pageQueryFields);
export type SaleHistoryQuery = Static<typeof SaleHistoryQuery>;

export const SalePath = Type.Object({ saleId: Uuid('Id of the sale') });
