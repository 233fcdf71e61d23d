/** The length of a response that costs as much as the work for the smallest request. */
const lengthOfUnit = 4_096;

/** What a response costs its wallet in the order of its queue: 1 for the smallest. */
export function costOfResponse(body: string | Buffer): number {
  return 1 + body.length / lengthOfUnit;
}
