import { type FileHandle, open } from 'node:fs/promises';

const emptiedOverBytes = 10 * 1024 * 1024;
const quotedFromBytes = 64 * 1024;

export async function openServerLog(path: string): Promise<FileHandle> {
  const file = await open(path, 'a+', 0o600);
  await file.chmod(0o600);
  if ((await file.stat()).size > emptiedOverBytes) {
    await file.truncate(0);
  }
  return file;
}

export async function logSize(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** What was logged after the position, at most the last 64 KB of it. */
export async function readLogSince(path: string, position: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(position, size - quotedFromBytes);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The line that tells best why a program gave up; the lines after it often only tell how it ended. */
export function lastMeaningfulLine(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling =
    lines.findLast((line) => /\b(PANIC|FATAL):/.test(line)) ??
    lines.findLast((line) => /\berror\b/i.test(line)) ??
    lines.at(-1);
  return telling?.replace(/^.*?\b(PANIC|FATAL|ERROR|LOG):\s*/, '').replace(/[.\s]+$/, '') ?? null;
}
