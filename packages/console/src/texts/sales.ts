/** What the pages say: sales. */
export const texts = {
  thisDigitalKey: 'This digital key',
  moveSaleOfName: (name: string | number) => `Move the sale of ${name}`,
  moveToTitle: (title: string | number) => `Move to ${title}`,
  order: 'Order',
  salesCouldNotBeLoaded: 'The sales could not be loaded',
  loadMore: 'Load more',
  saleWasNotMoved: 'The sale was not moved',
  sales: 'Sales',
  dragSaleToAnotherStageOr:
    'Drag a sale to another stage, or choose one with its button, on which the left and right arrow keys work too. The one that changed last is on top.',
  saleOfSaleIsNowIn: (sale: string | number, title: string | number) =>
    `The sale of ${sale} is now in ${title}`,
  leads: 'Leads',
  clientsThatHaveNotOrderedYet: 'Clients that have not ordered yet appear here.',
  ongoing: 'Ongoing',
  saleMovesHereWithFirstOrder: 'A sale moves here with the first order.',
  closed: 'Closed',
  deliveredAndCancelledOrdersCloseTheir: 'Delivered and cancelled orders close their sale.',
};
