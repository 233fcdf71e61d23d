import { setImmediate } from 'node:timers/promises';

/** Lets other work of the process run. Building a site takes about a second, in which a server must serve others. */
export const pause = (): Promise<void> => setImmediate();
