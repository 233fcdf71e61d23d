import type { DeliveryCharge, DeliveryChargeList } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();
const set = (body: object) => admin.ask('PUT', '/admin/delivery-charges', { body });
/** Other tests set charges of the same country, in currencies of their own. */
const currencies = ['EUR', 'ISK'];
const listCharges = async () =>
  dataOf<DeliveryChargeList>(await holder.ask('GET', '/dapp/delivery-charges')).deliveryCharges.filter(
    ({ countryCode, currency }) => countryCode === 'ISL' && currencies.includes(currency),
  );

it('sets the charge of a country in a currency, which everybody sees, and audits it', async () => {
  const body = { countryCode: 'is', currency: 'ISK', deliveryCharge: '4.9', freeFrom: 75 };
  const charge = dataOf<DeliveryCharge>(await set(body));
  expect(charge).toEqual({
    id: expect.any(String),
    countryCode: 'ISL',
    currency: 'ISK',
    deliveryCharge: 4.9,
    taxRate: 0,
    freeFrom: 75,
    updatedAt: expect.any(String),
  });
  expect(await listCharges()).toEqual([charge]);
  const changed = dataOf<DeliveryCharge>(
    await set({ countryCode: 'ISL', currency: 'ISK', deliveryCharge: 0 }),
  );
  expect(changed).toMatchObject({ id: charge.id, deliveryCharge: 0, freeFrom: null });
  dataOf(await set({ countryCode: 'ISL', currency: 'EUR', deliveryCharge: 1 }));
  expect((await listCharges()).map(({ currency }) => currency)).toEqual(currencies);
  expect(
    await sql('SELECT subject, action, before, after FROM audit WHERE subject_id = $1 ORDER BY id', [
      charge.id,
    ]),
  ).toEqual([
    {
      subject: 'DELIVERY_CHARGE',
      action: 'CREATE',
      before: null,
      after: { countryCode: 'ISL', currency: 'ISK', deliveryCharge: 4.9, taxRate: 0, freeFrom: 75 },
    },
    {
      subject: 'DELIVERY_CHARGE',
      action: 'CHANGE',
      before: { deliveryCharge: 4.9, freeFrom: 75 },
      after: { deliveryCharge: 0, freeFrom: null },
    },
  ]);
});

it.each([
  [{ currency: 'EUR', deliveryCharge: 1 }, ['countryCode is required']],
  [
    { countryCode: 'XYZ', currency: 'EUR', deliveryCharge: 1 },
    ['countryCode must be an ISO 3166-1 country code'],
  ],
  [{ countryCode: 'PRT', currency: 'EUR', deliveryCharge: -1 }, ['deliveryCharge must not be less than 0']],
])('rejects %j', async (body, issues) => {
  const reply = await set(body);
  expect([reply.status, reply.envelope.data]).toEqual([400, issues]);
});
