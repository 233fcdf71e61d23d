import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findAnvil } from '@keyfront/contracts';

const entry = fileURLToPath(new URL('../../packages/contracts/dist/cli/chain.js', import.meta.url));

/** A chain as `npm run chain` starts it: the built code in a process of its own. */
export interface DemoChain {
  /** The command that it prints, which starts the service on it. */
  readonly command: string;
  /** What that command sets, by name. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a chain for the demo of a data folder, with a block every second; where there is no anvil, it fails. */
export async function startDemoChain(dataFolder: string): Promise<DemoChain> {
  const child = spawn(process.execPath, [entry, '--port', '0', '--block-time', '1'], {
    // Away from the project, so that no `.env` of a developer counts.
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ANVIL: findAnvil() ?? '', KEYFRONT_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  // A test that fails in the middle leaves nothing running.
  const endAtExit = () => child.kill();
  process.once('exit', endAtExit);
  let printed = '';
  const command = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const match = /^.* npm start$/m.exec(printed);
      if (match) resolve(match[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    ended.then(() => reject(new Error(`There is no chain: ${printed}`)), reject);
  });
  const assignments = [...command.matchAll(/(\w+)=(\S+)/g)];
  return {
    command,
    settings: Object.fromEntries(assignments.map(([, name = '', value = '']) => [name, value])),
    stop: async () => {
      // Asked, not killed, so that it takes its anvil along.
      child.kill('SIGTERM');
      await ended;
      process.off('exit', endAtExit);
    },
  };
}
