import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';

/** Data that tests copy instead of creating it. Each is created once in a run, when a test first requests it. */
export interface Preparations {
  /** A database on the cluster of the tests that holds the demo, and the file that describes the demo. */
  readonly demo: { readonly databaseName: string; readonly file: string };
  /** A data folder in which a service has made its database and the demo, and has ended. */
  readonly usedDataFolder: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    preparationsUrl: string;
  }
}

type Makers = { readonly [Name in keyof Preparations]: () => Promise<Preparations[Name]> };

/**
 * Makes preparations for all workers. Runs in the process that starts the workers, so that two that ask at the same
 * time get the same one.
 */
export async function servePreparations(makers: Makers): Promise<{ url: string; close(): Promise<void> }> {
  const made = new Map<string, Promise<unknown>>();
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    const making = made.get(name) ?? makers[name as keyof Preparations]();
    made.set(name, making);
    making.then(
      (result) => response.end(JSON.stringify(result)),
      (error) => response.writeHead(500).end(error.stack),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const received = new Map<string, Promise<unknown>>();

/** A preparation, made now if this is the first request for it in the run. */
export function getPrepared<Name extends keyof Preparations>(name: Name): Promise<Preparations[Name]> {
  const receiving = received.get(name) ?? receive(name);
  received.set(name, receiving);
  return receiving as Promise<Preparations[Name]>;
}

async function receive(name: keyof Preparations): Promise<unknown> {
  const response = await fetch(`${inject('preparationsUrl')}/${name}`);
  if (!response.ok) throw new Error(`"${name}" could not be prepared: ${await response.text()}`);
  return response.json();
}
