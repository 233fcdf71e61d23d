/** A module that shifts the clock of the process that loads it first. Workers inherit it. */
const source = (offsetMs: number) => `
const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...parts) {
    if (parts.length === 0) super(Real.now() + ${offsetMs});
    else super(...parts);
  }
  static now() {
    return Real.now() + ${offsetMs};
  }
};
`;

/** Returns the settings of a service whose clock differs from that of the machine, and of the database, by this time. */
export function shiftClock(offsetMs: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source(offsetMs))}` };
}
