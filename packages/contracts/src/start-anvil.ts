import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient, http } from 'viem';
import { getChainId } from 'viem/actions';
import { findAnvil } from './find-anvil.ts';

/** Options of anvil. Omitted options have anvil's defaults, except for the port. */
export interface AnvilOptions {
  readonly chainId?: number;
  /** Defaults to a free port. */
  readonly port?: number;
  /** Mines a block at this interval instead of one per transaction. */
  readonly blockTimeSeconds?: number;
  /** Receives the output of anvil. */
  readonly onOutput?: (text: string) => void;
}

/** A running anvil. */
export interface Anvil {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly processId: number;
  /** Resolves on exit with the exit code, or with null after a signal. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

const stopTimeoutMs = 5_000;

/** Starts anvil and waits until it responds. Returns null if anvil is not installed. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil | null> {
  const program = findAnvil();
  if (program === null) return null;
  const child = spawn(program, listArguments(options), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  // This process may exit without calling `stop`.
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  void ended.then(() => process.off('exit', killAtExit));

  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  };
  try {
    const rpcUrl = `http://${await waitForAddress(child, program, options.onOutput)}`;
    const chainId = await getChainId(createClient({ transport: http(rpcUrl) }));
    if (child.pid === undefined) throw new Error(`${program} has no process id.`);
    return { rpcUrl, chainId, processId: child.pid, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listArguments({ chainId, port = 0, blockTimeSeconds }: AnvilOptions): string[] {
  return [
    '--port',
    String(port),
    ...(chainId === undefined ? [] : ['--chain-id', String(chainId)]),
    ...(blockTimeSeconds === undefined ? [] : ['--block-time', String(blockTimeSeconds)]),
  ];
}

/** Reads the address from anvil's output, which is the only source for a port that anvil chose. */
async function waitForAddress(
  child: ChildProcess,
  program: string,
  onOutput: (text: string) => void = () => undefined,
): Promise<string> {
  let printed = '';
  const failure = once(child, 'close').then(
    () => `it exited: ${printed.trim() || 'no output'}`,
    (error: Error) => error.message,
  );
  const address = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      onOutput(String(chunk));
      // Bound the buffer: output after the start is not needed.
      if (printed.length > 100_000) return;
      printed += chunk;
      const match = /^Listening on (\S+)$/m.exec(printed);
      if (match?.[1]) resolve(match[1]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });
  const first = await Promise.race([
    address.then((value) => ({ value })),
    failure.then((reason) => ({ reason })),
  ]);
  if ('reason' in first) throw new Error(`anvil (${program}) could not be started: ${first.reason}`);
  return first.value;
}
