import { setImmediate } from 'node:timers/promises';

/** Lets other work of the process run. Building a site takes about a second, during which a server must serve requests. */
export const pause = (): Promise<void> => setImmediate();
