import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface SystemUser {
  uid: number;
  gid: number;
}

const passBit = 0o1;
const readBit = 0o4;

/** Whether the user gets to a file or folder through all folders above it, and may read and run (enter) it. */
export async function canUse(path: string, user: SystemUser): Promise<boolean> {
  return permits(await stat(path), user, readBit | passBit) && (await canPass(dirname(path), user));
}

/** Whether the user may pass through the folder and all folders above it. */
export async function canPass(folder: string, user: SystemUser): Promise<boolean> {
  if (!permits(await stat(folder), user, passBit)) {
    return false;
  }
  const parent = dirname(folder);
  return parent === folder || (await canPass(parent, user));
}

function permits(entry: Stats, user: SystemUser, bits: number): boolean {
  const shift = entry.uid === user.uid ? 6 : entry.gid === user.gid ? 3 : 0;
  return ((entry.mode >> shift) & bits) === bits;
}
