export { ordersToXlsx } from './xlsx/orders-to-xlsx.ts';
