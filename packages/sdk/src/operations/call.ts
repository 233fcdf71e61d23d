import type { RequestOptions } from '../call-options.ts';

/** How the groups of operations reach the service. */
export type Call = <Data>(method: string, path: string, options?: RequestOptions) => Promise<Data>;
