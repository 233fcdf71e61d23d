import { findFreePort } from './free-port.ts';
import { type ServiceProcess, spawnService } from './spawn-service.ts';
import type { StallablePipe } from './stallable-pipe.ts';

/** A service that can be started again at the same address. */
export interface Instance {
  readonly origin: string;
  readonly baseUrl: string;
  current(): ServiceProcess;
  /** Starts the service again after it has ended. */
  restart(): Promise<void>;
  /** Starts the service without waiting until it is ready. */
  spawn(): ServiceProcess;
}

/** Chooses an address for a service, and starts it there. `current().ready` tells when it can be called. */
export async function spawnInstance(
  settings: Record<string, string>,
  pipe?: StallablePipe,
): Promise<Instance> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const start = () => spawnService({ ...settings, PORT: String(port) }, pipe);
  let current = start();
  const spawn = () => {
    current = start();
    return current;
  };
  return {
    origin,
    baseUrl: `${origin}/api/v1`,
    current: () => current,
    spawn,
    restart: async () => {
      await spawn().ready;
    },
  };
}
