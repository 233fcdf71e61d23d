/** Orders of younger months stay in the database. */
const minAgeMonths = 12;

const monthForm = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/;

/** Reads a month such as `2024-01`, and returns its begin in UTC. Null if the text is none. */
export function readMonth(text: string): Date | null {
  return monthForm.test(text) ? new Date(`${text}-01T00:00:00.000Z`) : null;
}

/** Says why orders before this month cannot be archived. Null if they can. */
export function describeMonthError(month: Date, now: Date): string | null {
  const latest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - minAgeMonths));
  if (month <= latest) return null;
  return (
    `Orders are archived when they are at least ${minAgeMonths} months old: ` +
    `the latest month is --before ${latest.toISOString().slice(0, 7)}.`
  );
}
