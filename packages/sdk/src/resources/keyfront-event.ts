import type { EventDataByType } from '../generated/events.ts';
import type { AnyEvent, EventPage } from '../generated/types.ts';

/** The type of an event, such as `order.created`. */
export type KeyfrontEventType = keyof EventDataByType;

/** An event of this type. */
export type EventOf<Type extends KeyfrontEventType> = Omit<AnyEvent, 'type' | 'tokenId' | 'data'> & {
  readonly type: Type;
  /** Token id of the digital key. Null for events about the catalogue, which go to every digital key. */
  readonly tokenId: Type extends `strain.${string}` ? null : number;
  /** The resource at that moment. */
  readonly data: EventDataByType[Type];
};

/** Any event. Its `type` tells the type of its `data`. */
export type KeyfrontEvent = { [Type in KeyfrontEventType]: EventOf<Type> }[KeyfrontEventType];

/** A page of events. */
export type KeyfrontEventPage = Omit<EventPage, 'events'> & { readonly events: readonly KeyfrontEvent[] };
