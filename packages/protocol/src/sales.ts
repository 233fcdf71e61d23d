import { type Static, Type } from 'typebox';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Nullable, Timestamp, Uuid } from './values.ts';

/** Where a sale can stand in the pipeline. Any stage may follow any other. */
export const saleStages = ['LEADS', 'ONGOING', 'CLOSED'] as const;
export type SaleStage = (typeof saleStages)[number];

const stage = () => Type.Enum([...saleStages], { description: 'Where it stands in the pipeline' });
const description = () =>
  Type.String({
    maxLength: 2000,
    description: 'What there is to say about it',
    examples: ['Asked for a sample'],
  });

export const Sale = Type.Object({
  id: Uuid('Identifies the sale'),
  stage: stage(),
  description: Type.String({ examples: ['Asked for a sample'] }),
  clientId: Nullable(Uuid('The client; null for the own sale of the digital key')),
  orderId: Nullable(Uuid('The order that came of it')),
  createdAt: Timestamp('When it was opened'),
  updatedAt: Timestamp('When it last changed'),
});
export type Sale = Static<typeof Sale>;

export const NewSale = Type.Object({
  clientId: Uuid('The client'),
  stage: Type.Optional(
    Type.Enum([...saleStages], { default: 'LEADS', description: 'Where it stands in the pipeline' }),
  ),
  description: Type.Optional(description()),
});
export type NewSale = Static<typeof NewSale>;

export const SaleChange = Type.Object({
  stage: Type.Optional(stage()),
  description: Type.Optional(description()),
});
export type SaleChange = Static<typeof SaleChange>;

export const SalePage = Type.Object({ sales: Type.Array(Sale), pageMetaDto: PageMeta });
export type SalePage = Static<typeof SalePage>;

/** Which sale a change is for. */
export const SaleChoice = Type.Object({
  id: Type.Optional(Uuid('Identifies the sale; the own sale of the digital key when it is not given')),
});
export type SaleChoice = Static<typeof SaleChoice>;

export const SaleListQuery = Type.Object({
  ...pageQueryFields,
  stage: Type.Optional(Type.Enum(['', ...saleStages], { description: 'Only sales of this stage' })),
  clientId: Type.Optional(Uuid('Only the sales of this client')),
  orderId: Type.Optional(Uuid('Only the sale that this order came of')),
});
export type SaleListQuery = Static<typeof SaleListQuery>;

export const SaleSummary = Type.Object({
  total: Type.Integer({ examples: [12] }),
  stages: Type.Object({
    LEADS: Type.Integer({ examples: [7] }),
    ONGOING: Type.Integer({ examples: [4] }),
    CLOSED: Type.Integer({ examples: [1] }),
  }),
});
export type SaleSummary = Static<typeof SaleSummary>;

export const SaleHistory = Type.Object({
  history: Type.Array(
    Type.Object({
      stage: stage(),
      description: Type.String(),
      changedAt: Timestamp('Since when it has been so'),
    }),
  ),
  pageMetaDto: PageMeta,
});
export type SaleHistory = Static<typeof SaleHistory>;

export const SaleHistoryQuery = Type.Object(pageQueryFields);
export type SaleHistoryQuery = Static<typeof SaleHistoryQuery>;

export const SalePath = Type.Object({ saleId: Uuid('Identifies the sale') });
