import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A pipe for the output of a child process. Its reader can stop reading. */
export interface StallablePipe {
  /** For the `stdio` of the child process. Closed by `closeWriter`. */
  readonly writerFd: number;
  readonly reader: Socket;
  /** Closes the copy of this process after the child process was started. */
  closeWriter(): void;
  /** Stops reading and fills the pipe with empty lines, so that it accepts nothing more. */
  stall(): void;
  /** Reads again. */
  resume(): void;
}

/** Opens a pipe that the kernel does not share with other processes than the child. */
export function openStallablePipe(): StallablePipe {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-pipe-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  // The reader comes first: a writer would wait for it.
  const readerFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writerFd = openSync(path, constants.O_WRONLY);
  const fillerFd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  rmSync(folder, { recursive: true });
  const reader = new Socket({ fd: readerFd, readable: true, writable: false });
  reader.once('close', () => closeSync(fillerFd));
  return {
    writerFd,
    reader,
    closeWriter: () => closeSync(writerFd),
    stall: () => {
      reader.pause();
      fill(fillerFd);
    },
    resume: () => void reader.resume(),
  };
}

function fill(fd: number): void {
  const blocks = [Buffer.alloc(4_096, '\n'), Buffer.from('\n')];
  for (const block of blocks) {
    try {
      for (;;) writeSync(fd, block);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}
