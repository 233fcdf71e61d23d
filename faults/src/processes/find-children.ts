import { execFileSync } from 'node:child_process';

/** Returns the process ids of the children of a process. */
export function findChildren(parentPid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent = 0]) => (parent === parentPid ? [pid] : []));
}
