/** States, and what has failed. */
export const texts = {
  serviceCannotBeReachedCheckYour: 'The service cannot be reached. Check your connection, and try again.',
  serviceDidNotAnswerAsIt: 'The service did not answer as it should. Try again in a moment.',
  youAreNotSignedInAny: 'You are not signed in any more. Sign in again.',
  youHaveRefusedRequestInYour: 'You have refused the request in your wallet.',
  yourWalletWaitsForAnswerTo:
    'Your wallet waits for an answer to an earlier request. Open it, and answer that first.',
  yourWalletHasReportedErrorOpen: 'Your wallet has reported an error. Open it, and try again.',
  somethingInThisPageHasFailed: 'Something in this page has failed. Load it again, and try once more.',
  pending: 'Pending',
  processing: 'Processing',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  paid: 'Paid',
  failed: 'Failed',
  refunded: 'Refunded',
  approved: 'Approved',
  rejected: 'Rejected',
  orderStatus: (status: string | number) => `Order ${status}`,
  paymentName: (name: string | number) => `Payment ${name}`,
  approvalPending: 'Approval pending',
};
