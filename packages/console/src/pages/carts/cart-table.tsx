import type { Cart, ClientWithCart } from '@keyfront/sdk';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { formatNumber } from '../../format/format-number.ts';
import { fullName } from '../../format/full-name.ts';
import { texts } from '../../texts/carts.ts';
import { CartItems } from './cart-items.tsx';
import classes from './cart-table.module.css';
import { ClearCart } from './clear-cart.tsx';

const columns: readonly Column<ClientWithCart>[] = [
  {
    title: texts.client,
    render: (client) => (
      <>
        <RowLink to={`/clients/${client.id}`} list="/carts" title={client.email}>
          <bdi>{fullName(client)}</bdi>
        </RowLink>
        <span className={classes.value}>{amountOf(client.clientCart[0], 'subTotal')}</span>
      </>
    ),
  },
  { title: texts.items, render: ({ clientCart: [cart] }) => <CartItems items={cart?.cartItems ?? []} /> },
  {
    title: texts.units,
    render: ({ clientCart: [cart] }) => cart && formatNumber(cart.totalQuantity),
    align: 'end',
    hiddenBelow: 'narrow',
  },
  {
    title: texts.value,
    render: ({ clientCart: [cart] }) => amountOf(cart, 'subTotal'),
    align: 'end',
    hiddenBelow: 'narrow',
  },
  {
    title: texts.withDelivery,
    render: ({ clientCart: [cart] }) => amountOf(cart, 'totalAmount'),
    align: 'end',
    hiddenBelow: 'medium',
  },
  { title: texts.actions, render: (client) => <ClearCart client={client} />, align: 'end' },
];

/** Carts, one per row. */
export function CartTable({ clients }: { readonly clients: readonly ClientWithCart[] | undefined }) {
  return <DataTable caption={texts.carts} columns={columns} rows={clients} keyOf={({ id }) => id} />;
}

function amountOf(cart: Cart | undefined, field: 'subTotal' | 'totalAmount'): string {
  return cart?.currency ? formatMoney(cart[field], cart.currency) : '–';
}
