import { dayMs, hourMs } from '../../lib/utc-days.ts';
import { inventPeople, type Person } from '../people/people.ts';
import type { ClientRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import { type Random, uuidV7 } from './random.ts';

/** The role of a client in the demo. */
type Part = 'regular' | 'inactive' | 'newcomer' | 'pending' | 'rejected';

export interface DemoClient {
  readonly row: ClientRow;
  readonly part: Part;
  readonly approvedAt: number;
  /** The client has no orders from this time on. */
  readonly leftAt: number;
}

interface Plan {
  readonly part: Part;
  /** The range of the age of the client, in days. */
  readonly maxAgeDays: number;
  readonly minAgeDays: number;
}

const plans: readonly Plan[] = [
  // The first half exists before the first order of the demo.
  ...repeat(8, { part: 'regular', maxAgeDays: 210, minAgeDays: 125 }),
  ...repeat(8, { part: 'regular', maxAgeDays: 110, minAgeDays: 25 }),
  { part: 'inactive', maxAgeDays: 220, minAgeDays: 150 },
  ...repeat(3, { part: 'newcomer', maxAgeDays: 12, minAgeDays: 6 }),
  ...repeat(5, { part: 'pending', maxAgeDays: 10, minAgeDays: 1 }),
  ...repeat(3, { part: 'rejected', maxAgeDays: 80, minAgeDays: 12 }),
];

const rejectionNotes = [
  'The prescription had expired when it was handed in.',
  'The name on the identity document differs from the one on the account.',
  'We do not deliver to the address that was given.',
  'The document photo cannot be read; a new one was asked for twice.',
];

const inactiveSinceDays = 20;

export function generateClients(random: Random, midnightMs: number, tokenId: number): DemoClient[] {
  const people = inventPeople(random, plans.length);
  const notes = random.shuffle(rejectionNotes);
  return plans.map((plan, index) => {
    const person = people[index];
    if (!person) throw new RangeError('There are fewer people than plans');
    const createdAt =
      midnightMs -
      random.integer(plan.minAgeDays * 24, plan.maxAgeDays * 24) * hourMs +
      random.integer(0, hourMs - 1);
    return generateClient(random, {
      plan,
      person,
      createdAt,
      midnightMs,
      tokenId,
      note: notes[index % notes.length],
    });
  });
}

function generateClient(
  random: Random,
  {
    plan,
    person,
    createdAt,
    midnightMs,
    tokenId,
    note,
  }: {
    readonly plan: Plan;
    readonly person: Person;
    readonly createdAt: number;
    readonly midnightMs: number;
    readonly tokenId: number;
    readonly note: string | undefined;
  },
): DemoClient {
  const { part } = plan;
  const reviewedAt = createdAt + random.integer(6, 60) * hourMs + random.integer(0, hourMs - 1);
  // An administrator decides on a client whose identity is known.
  const verifiedAt = createdAt + Math.round((reviewedAt - createdAt) / 3);
  const leftAt = part === 'inactive' ? midnightMs - inactiveSinceDays * dayMs : midnightMs;
  const isVerified = part !== 'pending' && part !== 'rejected';
  const updatedAt = part === 'pending' ? createdAt : part === 'inactive' ? leftAt : reviewedAt;
  const row: ClientRow = {
    id: uuidV7(random, createdAt),
    tokenId,
    ...person,
    adminApproval: isVerified ? 'VERIFIED' : part === 'pending' ? 'PENDING' : 'REJECTED',
    rejectionNote: part === 'rejected' ? (note ?? null) : null,
    isKycVerified: isVerified,
    kycVerifiedAt: isVerified ? formatTime(verifiedAt) : null,
    isActive: part !== 'inactive',
    approvedAt: isVerified ? formatTime(reviewedAt) : null,
    rejectedAt: part === 'rejected' ? formatTime(reviewedAt) : null,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
  };
  return { row, part, approvedAt: reviewedAt, leftAt };
}

function repeat(count: number, plan: Plan): Plan[] {
  return Array.from({ length: count }, () => plan);
}
