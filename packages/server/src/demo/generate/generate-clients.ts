import { dayMs, hourMs } from '../../utc-days.ts';
import { inventPeople, type Person } from '../people/people.ts';
import type { ClientRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import { type Random, uuidV7 } from './random.ts';

/** What a client is in the demo for. */
type Part = 'regular' | 'inactive' | 'newcomer' | 'pending' | 'rejected';

export interface DemoClient {
  readonly row: ClientRow;
  readonly part: Part;
  readonly approvedAt: number;
  /** From when on no order of this client can be. */
  readonly leftAt: number;
}

interface Plan {
  readonly part: Part;
  /** How many days ago the client came, at most and at least. */
  readonly oldest: number;
  readonly newest: number;
}

const plans: readonly Plan[] = [
  // The first half was there before the first order of the demo.
  ...repeat(8, { part: 'regular', oldest: 210, newest: 125 }),
  ...repeat(8, { part: 'regular', oldest: 110, newest: 25 }),
  { part: 'inactive', oldest: 220, newest: 150 },
  ...repeat(3, { part: 'newcomer', oldest: 12, newest: 6 }),
  ...repeat(5, { part: 'pending', oldest: 10, newest: 1 }),
  ...repeat(3, { part: 'rejected', oldest: 80, newest: 12 }),
];

const rejectionNotes = [
  'The prescription had expired when it was handed in.',
  'The name on the identity document differs from the one on the account.',
  'We do not deliver to the address that was given.',
  'The document photo cannot be read; a new one was asked for twice.',
];

const inactiveSinceDays = 20;

export function generateClients(random: Random, midnight: number, tokenId: number): DemoClient[] {
  const people = inventPeople(random, plans.length);
  const notes = random.shuffle(rejectionNotes);
  return plans.map((plan, index) => {
    const person = people[index];
    if (!person) throw new RangeError('There are fewer people than plans');
    const createdAt =
      midnight - random.integer(plan.newest * 24, plan.oldest * 24) * hourMs + random.integer(0, hourMs - 1);
    return generateClient(random, {
      plan,
      person,
      createdAt,
      midnight,
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
    midnight,
    tokenId,
    note,
  }: {
    readonly plan: Plan;
    readonly person: Person;
    readonly createdAt: number;
    readonly midnight: number;
    readonly tokenId: number;
    readonly note: string | undefined;
  },
): DemoClient {
  const { part } = plan;
  const judgedAt = createdAt + random.integer(6, 60) * hourMs + random.integer(0, hourMs - 1);
  const leftAt = part === 'inactive' ? midnight - inactiveSinceDays * dayMs : midnight;
  const isVerified = part !== 'pending' && part !== 'rejected';
  const updatedAt = part === 'pending' ? createdAt : part === 'inactive' ? leftAt : judgedAt;
  const row: ClientRow = {
    id: uuidV7(random, createdAt),
    tokenId,
    ...person,
    adminApproval: isVerified ? 'VERIFIED' : part === 'pending' ? 'PENDING' : 'REJECTED',
    rejectionNote: part === 'rejected' ? (note ?? null) : null,
    isKycVerified: isVerified,
    isActive: part !== 'inactive',
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
  };
  return { row, part, approvedAt: judgedAt, leftAt };
}

function repeat(count: number, plan: Plan): Plan[] {
  return Array.from({ length: count }, () => plan);
}
