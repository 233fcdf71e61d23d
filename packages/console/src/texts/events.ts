/** What the pages say: events. */
export const texts = {
  events: 'Events',
  whatHasHappenedNewestFirstNew: 'What has happened, newest first. New events appear by themselves.',
  types: 'Types',
  typesOrderPaymentPaid: 'Types: order.*, payment.paid',
  eventsCouldNotBeLoaded: 'The events could not be loaded',
  thereAreNoSuchTypes: 'There are no such types',
  typesOfAllEventsAreIn: 'The guide on events has all of them: ',
  listOfTypes: 'the list of types',
  noEventsYet: 'No events yet',
  changeClientOrPlaceOrderTo: 'Change a client or place an order to see an event.',
  noEventMatches: 'No event matches',
  eventsOfTheseTypesAppearHere: 'Events of these types appear here as soon as they happen.',
};
