import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A child process that runs one job at a time. */
export interface Child<Job, Result> {
  run(job: Job): Promise<Result>;
  end(): Promise<void>;
}

/** The message that a child sends after a job. */
type Reply<Result> = { readonly result: Result } | { readonly failure: string };

/** Starts a file of this folder as a child process. */
export function startChild<Job extends object, Result>(file: string): Child<Job, Result> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { serialization: 'advanced' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    run: (job) => runJob(child, job),
    end: () => {
      // Ctrl-C reaches all processes of a terminal, so the child may have ended first.
      if (child.connected) child.disconnect();
      return ended;
    },
  };
}

function runJob<Result>(child: ChildProcess, job: object): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`A process of the bench exited with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (reply: Reply<Result>) => {
      child.off('exit', onExit);
      if ('result' in reply) resolve(reply.result);
      else reject(new Error(reply.failure));
    });
    child.send(job);
  });
}

/** The child's side: runs the jobs of the parent, and exits when the parent disconnects. */
export function serveParent<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send?.({ result }),
      (error) => process.send?.({ failure: error?.stack ?? String(error) }),
    );
  });
}
