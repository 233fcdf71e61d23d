import type { Row } from 'write-excel-file/node';
import { Failure } from '../failure.ts';
import type { Order } from './order.ts';

/** The names and the order of the columns are those of the CSV file. */
const columns: readonly { readonly name: string; readonly width: number; cell(order: Order): Row[number] }[] =
  [
    { name: 'id', width: 38, cell: ({ id }) => id },
    { name: 'invoiceNumber', width: 18, cell: ({ invoiceNumber }) => invoiceNumber },
    { name: 'orderStatus', width: 14, cell: ({ orderStatus }) => orderStatus },
    { name: 'paymentStatus', width: 14, cell: ({ paymentStatus }) => paymentStatus },
    { name: 'adminApproval', width: 14, cell: ({ adminApproval }) => adminApproval },
    // The largest amount has fourteen digits, which a number of a spreadsheet holds exactly.
    {
      name: 'totalAmount',
      width: 14,
      cell: ({ totalAmount }) => ({ value: Number(totalAmount), format: '0.00' }),
    },
    { name: 'totalQuantity', width: 14, cell: ({ totalQuantity }) => totalQuantity },
    { name: 'currency', width: 10, cell: ({ currency }) => currency },
    { name: 'createdAt', width: 20, cell: ({ createdAt }) => moment(createdAt) },
    { name: 'updatedAt', width: 20, cell: ({ updatedAt }) => moment(updatedAt) },
    { name: 'clientId', width: 38, cell: ({ client }) => client.id },
    { name: 'clientFirstName', width: 18, cell: ({ client }) => client.firstName },
    { name: 'clientLastName', width: 18, cell: ({ client }) => client.lastName },
    { name: 'clientEmail', width: 28, cell: ({ client }) => client.email },
    { name: 'tokenId', width: 10, cell: ({ nft }) => nft.tokenId },
  ];

/** A sheet has 1,048,576 rows, and the first of them is the head. */
export const mostOrders = 1_048_575;

/** The bytes of a workbook with one sheet; it can only be made as a whole. */
export async function ordersToXlsx(orders: AsyncIterable<Order>, most = mostOrders): Promise<Buffer> {
  const rows: Row[] = [columns.map(({ name }) => ({ value: name, fontWeight: 'bold' }))];
  for await (const order of orders) {
    if (rows.length > most) {
      throw new Failure(`A sheet holds ${most} orders and there are more: take --csv, or a shorter time`);
    }
    rows.push(columns.map(({ cell }) => cell(order)));
  }
  // Only here, since no other command needs it.
  const { default: writeExcelFile } = await import('write-excel-file/node');
  return writeExcelFile(rows, {
    sheet: 'Orders',
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBuffer();
}

function moment(value: string): Row[number] {
  return { value: new Date(value), format: 'yyyy-mm-dd hh:mm:ss' };
}
