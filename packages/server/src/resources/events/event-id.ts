/** The place of an event in the log. Events are read in the order of both numbers. */
export interface EventPosition {
  /** Grows with each event. */
  readonly transactionNumber: number;
  /** Grows with each event, too. */
  readonly sequenceNumber: number;
}

const prefix = 'evt_';
const timeBits = 48n;
const sequenceBits = 40n;
/** 56 bits for the transaction, 40 for the sequence and 48 for the time, with five bits in each digit. */
const idLength = 29;

const mask = (bits: bigint): bigint => (1n << bits) - 1n;

/**
 * Makes the id of an event. Ids sort in the order of the events. They contain the time, so that an id is not used again for another
 * event after a database was restored from an earlier backup.
 */
export function formatEventId(
  { transactionNumber, sequenceNumber }: EventPosition,
  createdAt: string,
): string {
  const value =
    (((BigInt(transactionNumber) << sequenceBits) | (BigInt(sequenceNumber) & mask(sequenceBits))) <<
      timeBits) |
    BigInt(Date.parse(createdAt));
  return prefix + value.toString(32).padStart(idLength, '0');
}

/** Reads an id that the schema of events has checked. */
export function parseEventId(id: string): EventPosition & { readonly createdAtMs: number } {
  let value = 0n;
  for (const digit of id.slice(prefix.length)) value = (value << 5n) | BigInt(Number.parseInt(digit, 32));
  return {
    transactionNumber: Number(value >> (sequenceBits + timeBits)),
    sequenceNumber: Number((value >> timeBits) & mask(sequenceBits)),
    createdAtMs: Number(value & mask(timeBits)),
  };
}

/** Whether a position comes after another one. */
export function isAfterPosition(one: EventPosition, other: EventPosition): boolean {
  return one.transactionNumber === other.transactionNumber
    ? one.sequenceNumber > other.sequenceNumber
    : one.transactionNumber > other.transactionNumber;
}

/** After every event that can exist. */
export const endPosition: EventPosition = {
  transactionNumber: Number.MAX_SAFE_INTEGER,
  sequenceNumber: Number.MAX_SAFE_INTEGER,
};

/** Before the first event. */
export const firstPosition: EventPosition = { transactionNumber: 0, sequenceNumber: 0 };
