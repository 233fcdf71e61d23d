/** What the pages say: sandbox. */
export const texts = {
  sandbox: 'Sandbox',
  dialogCouldNotBeLoaded: 'The dialog could not be loaded',
  thisIsSandbox: 'This is a sandbox',
  nothingIsReal:
    'Nothing is really checked, paid or sent here. The pages of clients and orders have buttons for what administrators and providers decide elsewhere.',
  keyIsReset: (tokenId: string | number) => `Digital key #${tokenId} is reset`,
  keyWasNotReset: 'The digital key was not reset',
  resetDeletes: (name: string) =>
    `A reset deletes the clients, carts, orders, sales, events and webhooks of the digital key ${name}. API keys stay. This cannot be undone.`,
  typeToReset: (name: string) => `Type ${name} to reset the digital key`,
  resetName: (name: string) => `Reset ${name}`,
  refused: (label: string) => `${label}: the service has refused it`,
  inPlaceOfIdentityProvider: 'Decide in place of the administrator and the identity provider.',
  inPlaceOfPaymentProvider: 'Decide in place of the administrator and the payment provider.',
  approve: 'Approve',
  reject: 'Reject',
  passIdentityCheck: 'Pass identity check',
  failIdentityCheck: 'Fail identity check',
  pay: 'Pay',
  failPayment: 'Fail payment',
  ship: 'Ship',
  deliver: 'Deliver',
};
