import type { Approval } from '@keyfront/protocol';
import { inventPeople } from '../people/people.ts';
import { dayMs, formatTime, hourMs } from '../values/days.ts';
import { type Random, uuidV7 } from '../values/random.ts';
import { requireDefined } from '../values/require-defined.ts';
import notes from './notes.json' with { type: 'json' };

export type DemoClient = ReturnType<typeof generateClients>[number];

interface Plan {
  /** The role of the client in the demo. */
  readonly part: 'regular' | 'inactive' | 'newcomer' | 'pending' | 'rejected';
  /** The range of the age of the client, in days. */
  readonly maxAgeDays: number;
  readonly minAgeDays: number;
}

const plans: readonly Plan[] = [
  // The first half exists before the first order of the demo.
  ...Array<Plan>(8).fill({ part: 'regular', maxAgeDays: 210, minAgeDays: 125 }),
  ...Array<Plan>(8).fill({ part: 'regular', maxAgeDays: 110, minAgeDays: 25 }),
  { part: 'inactive', maxAgeDays: 220, minAgeDays: 150 },
  ...Array<Plan>(3).fill({ part: 'newcomer', maxAgeDays: 12, minAgeDays: 6 }),
  ...Array<Plan>(5).fill({ part: 'pending', maxAgeDays: 10, minAgeDays: 1 }),
  ...Array<Plan>(3).fill({ part: 'rejected', maxAgeDays: 80, minAgeDays: 12 }),
];

const inactiveSinceDays = 20;

export function generateClients(random: Random, midnightMs: number, tokenId: number) {
  const people = inventPeople(random, plans.length);
  const rejectionNotes = random.shuffle(notes.clientRejections);
  const pickWithinHour = () => random.integer(0, hourMs - 1);
  return people.map((person, index) => {
    const { part, minAgeDays, maxAgeDays } = requireDefined(plans[index]);
    const ageHours = random.integer(minAgeDays * 24, maxAgeDays * 24);
    const createdAt = midnightMs - ageHours * hourMs + pickWithinHour();
    const reviewedAt = createdAt + random.integer(6, 60) * hourMs + pickWithinHour();
    // An administrator decides on a client whose identity is known.
    const verifiedAt = createdAt + Math.round((reviewedAt - createdAt) / 3);
    const leftAt = part === 'inactive' ? midnightMs - inactiveSinceDays * dayMs : midnightMs;
    const adminApproval: Approval =
      part === 'pending' ? 'PENDING' : part === 'rejected' ? 'REJECTED' : 'VERIFIED';
    const isVerified = adminApproval === 'VERIFIED';
    const updatedAt = part === 'pending' ? createdAt : part === 'inactive' ? leftAt : reviewedAt;
    const row = {
      id: uuidV7(random, createdAt),
      tokenId,
      ...person,
      adminApproval,
      rejectionNote:
        part === 'rejected' ? requireDefined(rejectionNotes[index % rejectionNotes.length]) : null,
      isKycVerified: isVerified,
      kycVerifiedAt: isVerified ? formatTime(verifiedAt) : null,
      isActive: part !== 'inactive',
      approvedAt: isVerified ? formatTime(reviewedAt) : null,
      rejectedAt: part === 'rejected' ? formatTime(reviewedAt) : null,
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(updatedAt),
    };
    // The client has no orders from `leftAt` on.
    return { row, part, approvedAt: reviewedAt, leftAt };
  });
}
