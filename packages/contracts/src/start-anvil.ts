import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient, http } from 'viem';
import { getChainId } from 'viem/actions';
import { findAnvil } from './find-anvil.ts';

/** How to start anvil; what is left out is anvil's default. */
export interface AnvilOptions {
  readonly chainId?: number;
  /** A free one when left out. */
  readonly port?: number;
  /** Makes a block every so many seconds, instead of one for each transaction. */
  readonly blockTimeSeconds?: number;
  /** Gets what anvil prints. */
  readonly onOutput?: (text: string) => void;
}

/** An anvil that answers. */
export interface Anvil {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly processId: number;
  /** Its exit code when it has ended, for whatever reason; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

const millisecondsToEnd = 5_000;

/** Starts anvil and waits until it answers; null when there is no anvil for this machine. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil | null> {
  const program = findAnvil();
  if (program === null) return null;
  const child = spawn(program, listArguments(options), { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  // Whoever started it may end without stopping it.
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  void ended.then(() => process.off('exit', killAtExit));

  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), millisecondsToEnd);
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

/** Anvil says where it listens, which is the only way to learn of a port that it chose itself. */
async function waitForAddress(
  child: ChildProcess,
  program: string,
  onOutput: (text: string) => void = () => undefined,
): Promise<string> {
  let printed = '';
  const failure = once(child, 'close').then(
    () => `it ended: ${printed.trim() || 'it printed nothing'}`,
    (error: Error) => error.message,
  );
  const address = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      onOutput(String(chunk));
      // Later output is of no interest, and would pile up.
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
