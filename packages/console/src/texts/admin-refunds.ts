/** What the pages of administrators say: refunds. */
export const texts = {
  invoice: 'Invoice',
  client: 'Client',
  digitalKey: 'Digital key',
  order: 'Order',
  changed: 'Changed',
  paid: 'Paid',
  refundDue: 'Refund due',
  refundsDue: 'Refunds due',
  refundsCouldNotBeLoaded: 'The refunds could not be loaded',
  nothingIsToBeRefunded: 'Nothing is to be refunded',
  orderAppearsHereWhenItIs: 'An order appears here when it is paid twice, or paid although it is cancelled.',
};
