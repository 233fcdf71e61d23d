import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Tells a live process from a later one with the same pid; null when no such process lives. */
export function processIdentity(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    return null;
  }
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

function identityFromProc(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) {
    return null;
  }
  // The command name stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const startTicks = fields[19];
  if (state === undefined || startTicks === undefined || state === 'Z' || state === 'X') {
    return null;
  }
  // Start times count from the boot, so the same pid can have the same start time after the next boot.
  const boot = readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return `${boot}:${startTicks}`;
}

function identityFromPs(pid: number): string | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      // The printed start time depends on the time zone and the language of whoever asks.
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
    const [state = '', ...started] = line.split(/\s+/);
    return started.length === 0 || state.startsWith('Z') ? null : started.join(' ');
  } catch {
    return null;
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
