import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface SystemUser {
  uid: number;
  gid: number;
}

const executeBit = 0o1;
const readBit = 0o4;

/** Returns whether the user may read and execute a file (or list and enter a folder), and enter all folders above it. */
export async function canUse(path: string, user: SystemUser): Promise<boolean> {
  return permits(await stat(path), user, readBit | executeBit) && (await canEnter(dirname(path), user));
}

/** Returns whether the user may enter the folder and all folders above it. */
export async function canEnter(folder: string, user: SystemUser): Promise<boolean> {
  if (!permits(await stat(folder), user, executeBit)) {
    return false;
  }
  const parent = dirname(folder);
  return parent === folder || (await canEnter(parent, user));
}

function permits(entry: Stats, user: SystemUser, bits: number): boolean {
  const shift = entry.uid === user.uid ? 6 : entry.gid === user.gid ? 3 : 0;
  return ((entry.mode >> shift) & bits) === bits;
}
