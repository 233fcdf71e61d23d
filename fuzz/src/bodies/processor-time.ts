import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processor time that a process has used so far, with all its threads, in milliseconds. Linux only. */
export function readProcessorTime(pid: number): number {
  const folder = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const thread of readdirSync(folder)) {
    nanoseconds += Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  }
  return nanoseconds / 1e6;
}
