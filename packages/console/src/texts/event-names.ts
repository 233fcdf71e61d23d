/** What has happened, on the first page too. */
export const texts = {
  order: 'Order',
  digitalKey: 'Digital key',
  client: 'Client',
  payment: 'Payment',
  shipment: 'Shipment',
  sale: 'Sale',
  strain: 'Strain',
  offer: 'Offer',
  apiKey: 'API key',
  webhook: 'Webhook',
  event: 'Event',
  identityVerified: 'identity verified',
  identityCheckFailed: 'identity check failed',
  toBeRefunded: 'to be refunded',
  movedToAnotherStage: 'moved to another stage',
  transactionDroppedByChain: 'transaction dropped by the chain',
};
