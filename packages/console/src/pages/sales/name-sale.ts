import type { Sale } from '@keyfront/sdk';
import { fullName } from '../../format/full-name.ts';

/** Whose sale it is. */
export function nameSale({ client }: Sale): string {
  return client ? fullName(client) : 'This digital key';
}
