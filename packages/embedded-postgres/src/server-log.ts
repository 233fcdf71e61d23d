import { type FileHandle, open } from 'node:fs/promises';

const maximumBytes = 10 * 1024 * 1024;
const maximumReadBytes = 64 * 1024;

/** Opens the log file, readable by this user only, and truncates it when it has grown over 10 MB. */
export async function openServerLog(path: string): Promise<FileHandle> {
  const file = await open(path, 'a+', 0o600);
  await file.chmod(0o600);
  if ((await file.stat()).size > maximumBytes) {
    await file.truncate(0);
  }
  return file;
}

/** Returns the size of the log file in bytes. */
export async function logSize(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Reads what was logged after the position, at most the last 64 KB. */
export async function readLogSince(path: string, position: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(position, size - maximumReadBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Finds the line that says why a program failed. The lines after it often say only that it has ended. */
export function findReason(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const reason =
    lines.findLast((line) => /\b(PANIC|FATAL):/.test(line)) ??
    lines.findLast((line) => /\berror\b/i.test(line)) ??
    lines.at(-1);
  return reason?.replace(/^.*?\b(PANIC|FATAL|ERROR|LOG):\s*/, '').replace(/[.\s]+$/, '') ?? null;
}
