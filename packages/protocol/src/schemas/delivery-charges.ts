import { type Static, Type } from 'typebox';
import {
  Alpha3Code,
  Amount,
  AmountInput,
  CountryCode,
  Currency,
  Nullable,
  NullableAmountInput,
  Timestamp,
  Uuid,
} from './values.ts';

export const DeliveryCharge = Type.Object(
  {
    id: Uuid('Id of the delivery charge'),
    countryCode: Alpha3Code('Country that orders are shipped to'),
    currency: Currency(),
    deliveryCharge: Amount('What an order pays for its delivery'),
    taxRate: Type.Number({
      description: 'Tax that prices in this country contain, in per cent. The same for every currency',
      examples: [23],
    }),
    freeFrom: Nullable(Amount('Orders whose `subTotal` is at least this are delivered free of charge')),
    updatedAt: Timestamp('When the delivery charge last changed'),
  },
  { title: 'DeliveryCharge', description: 'What the delivery to a country costs' },
);
export type DeliveryCharge = Static<typeof DeliveryCharge>;

export const DeliveryChargeList = Type.Object(
  {
    deliveryCharges: Type.Array(DeliveryCharge, {
      description: 'By country and currency. Delivery to other countries is free of charge.',
    }),
  },
  { title: 'DeliveryChargeList' },
);
export type DeliveryChargeList = Static<typeof DeliveryChargeList>;

export const DeliveryChargeSetting = Type.Object(
  {
    countryCode: CountryCode('Country that orders are shipped to (ISO 3166-1 alpha-3 or alpha-2)'),
    currency: Currency(),
    deliveryCharge: AmountInput('What an order pays for its delivery; 0 if nothing'),
    freeFrom: Type.Optional(
      NullableAmountInput(
        'Orders whose `subTotal` is at least this are delivered free of charge; null: none',
      ),
    ),
    taxRate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        multipleOf: 0.01,
        description:
          'Tax that prices in this country contain, in per cent with at most two decimals, in every currency. Without it, the rate ' +
          'stays as it is, which is 0 at first',
        examples: [23],
      }),
    ),
  },
  { title: 'DeliveryChargeSetting' },
);
export type DeliveryChargeSetting = Static<typeof DeliveryChargeSetting>;
