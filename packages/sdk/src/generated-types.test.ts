import type * as protocol from '@keyfront/protocol';
import { expectTypeOf, it } from 'vitest';
import type * as sdk from './index.ts';
import { Keyfront } from './keyfront.ts';

// The compiler checks these, when it compiles the tests.
it('has the types of the schemas', () => {
  expectTypeOf<sdk.Order>().toEqualTypeOf<protocol.Order>();
  expectTypeOf<sdk.OrderWithLines>().toEqualTypeOf<protocol.OrderWithLines>();
  expectTypeOf<sdk.OrderPage>().toEqualTypeOf<protocol.OrderPage>();
  expectTypeOf<sdk.OrderSummary>().toEqualTypeOf<protocol.OrderSummary>();
  expectTypeOf<sdk.OrderChart>().toEqualTypeOf<protocol.OrderChart>();
  expectTypeOf<sdk.OrderHistory>().toEqualTypeOf<protocol.OrderHistory>();
  expectTypeOf<sdk.OrderListQuery>().toEqualTypeOf<protocol.OrderListQuery>();
  expectTypeOf<sdk.OrderExportFileQuery>().toEqualTypeOf<protocol.OrderExportFileQuery>();
  expectTypeOf<sdk.AdminOrderChange>().toEqualTypeOf<protocol.AdminOrderChange>();
  expectTypeOf<sdk.Client>().toEqualTypeOf<protocol.Client>();
  expectTypeOf<sdk.ClientChange>().toEqualTypeOf<protocol.ClientChange>();
  expectTypeOf<sdk.AdminClientChange>().toEqualTypeOf<protocol.AdminClientChange>();
  expectTypeOf<sdk.CartPage>().toEqualTypeOf<protocol.CartPage>();
  expectTypeOf<sdk.Strain>().toEqualTypeOf<protocol.Strain>();
  expectTypeOf<sdk.NewStrain>().toEqualTypeOf<protocol.NewStrain>();
  expectTypeOf<sdk.NftSale>().toEqualTypeOf<protocol.NftSale>();
  expectTypeOf<sdk.SignIn>().toEqualTypeOf<protocol.SignIn>();
  expectTypeOf<sdk.AuditEntry>().toEqualTypeOf<protocol.AuditEntry>();
  expectTypeOf<sdk.CreatedKey>().toEqualTypeOf<protocol.CreatedKey>();
  expectTypeOf<sdk.ErrorCode>().toEqualTypeOf<protocol.ErrorCode>();
});

it('knows that a payment that was just opened has a link', () => {
  const { orders, payments } = new Keyfront({ baseUrl: 'https://shop.example' });
  const place = () => orders.create({ clientId: '7', paymentFlow: 'DIRECT' });
  expectTypeOf<Awaited<ReturnType<typeof place>>['payUrl']>().toEqualTypeOf<string>();
  const placeWithInvoice = () => orders.create({ clientId: '7' });
  expectTypeOf<Awaited<ReturnType<typeof placeWithInvoice>>['payUrl']>().toEqualTypeOf<string | undefined>();
  const open = () => payments.checkout({ orderId: '7' });
  expectTypeOf<Awaited<ReturnType<typeof open>>['payUrl']>().toEqualTypeOf<string>();
  const status = () => payments.status('7');
  expectTypeOf<Awaited<ReturnType<typeof status>>['payUrl']>().toEqualTypeOf<string | null>();
});

it('requires a name for a new API key', () => {
  expectTypeOf<{ keyName: string }>().toExtend<sdk.NewKey>();
  expectTypeOf<{ label: string }>().toExtend<sdk.NewKey>();
  expectTypeOf<object>().not.toExtend<sdk.NewKey>();
});
