import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second on every platform that Node supports. */
const ticksPerSecond = 100;

/** Returns the processor time of a process in seconds, from /proc. */
export function readProcessTime(pid: number): number {
  // The name of the program is in parentheses and may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) / ticksPerSecond;
}

/**
 * Returns the processor time of a server and its running children in seconds. Connections must stay open while it is
 * measured.
 */
export function readTreeTime(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => readParent(Number(name)) === pid);
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + readIfRunning(each), 0);
}

function readIfRunning(pid: number): number {
  try {
    return readProcessTime(pid);
  } catch {
    return 0;
  }
}

function readParent(pid: number): number | null {
  try {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return parent === undefined ? null : Number(parent);
  } catch {
    return null;
  }
}
