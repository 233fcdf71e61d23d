/** What the smallest request costs, in the same unit as a response: its length. */
const leastCost = 4_096;

/** What a response costs its wallet in the order of its queue. */
export function costOfResponse(body: string | Buffer): number {
  return leastCost + body.length;
}
