import type { Sale } from '@keyfront/sdk';
import { fullName } from '../../format/full-name.ts';
import { texts } from '../../texts/sales.ts';

/** Whose sale it is. */
export function nameSale({ client }: Sale): string {
  return client ? fullName(client) : texts.thisDigitalKey;
}
