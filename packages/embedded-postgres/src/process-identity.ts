import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns a text that identifies a live process, and differs from that of a later process with the same pid. Returns
 * null when there is no such process, or when it is a zombie.
 */
export function readProcessIdentity(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    return null;
  }
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

function readFromProc(pid: number): string | null {
  const stat = readIfExists(`/proc/${pid}/stat`);
  if (stat === null) {
    return null;
  }
  // The command name is in parentheses, and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  if (state === undefined || startTicks === undefined || state === 'Z' || state === 'X') {
    return null;
  }
  // Start times are relative to the boot, so a pid can have the same start time after the next boot.
  const boot = readIfExists('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${boot}:${startTicks}`;
}

function readFromPs(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // ps formats the start time by the time zone and locale of its environment.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
    const [state = '', ...started] = line.split(/\s+/);
    return started.length === 0 || state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}

function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
