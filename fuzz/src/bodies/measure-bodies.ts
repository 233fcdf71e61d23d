import { randomUUID } from 'node:crypto';
import { type FuzzedRequest, formatRequest } from '../fuzzed-request.ts';
import { type Credentials, type Identity, makeUpIdentity, signInAll } from '../identities.ts';
import { judgeResponse } from '../judge-response.ts';
import { type FuzzedOperation, listOperations, type OpenApiDocument } from '../operations.ts';
import { RawConnection } from '../raw-connection.ts';
import { bodyShapes } from './large-bodies.ts';
import { readProcessorTime } from './processor-time.ts';

export interface BodiesOptions {
  readonly baseUrl: string;
  readonly pid: number;
  readonly credentials: Credentials;
  /** The operations to measure. All of them if it is absent. */
  readonly operations?: readonly string[];
  readonly onProgress?: (message: string) => void;
}

export interface BodiesReport {
  readonly requests: number;
  /** The processor time of a small valid request. */
  readonly smallMs: number;
  /** A sentence for each request that costs too much, or whose response is wrong. */
  readonly faults: readonly string[];
  /** The most expensive requests that cost not too much. */
  readonly expensive: readonly string[];
}

interface Measured {
  readonly ms: number;
  readonly status: number;
  readonly problem: string | null;
}

/** Somebody who sends a body. */
interface Sender {
  readonly name: string;
  readonly headersFor: (body: Buffer) => Readonly<Record<string, string>>;
}

/** Each shape adds a little, so that the largest body is just below the largest that any operation accepts. */
const sizes = [1, 16, 128, 1024].map((kibibytes) => kibibytes * 1024 - 100);
/** How many times as much as a small valid request a request may cost, whatever its size is. */
const maxRatio = 25;
/** The same for an address that has used up its invalid credentials: hardly more than it takes to read the request. */
const maxRatioOfSuspects = 4;
/** Invalid credentials until an address has used them up. */
const failureCount = 130;
const suspectRequests = 10;
const warmUps = 200;
const smallRequests = 60;
/** A request that costs too much is repeated so often: something else may have run at the same time. */
const repetitions = 4;
const maxFaultsOfOperation = 3;
const shownExpensive = 5;
const other = Buffer.from('{"other":true}');

/**
 * Sends bodies of all shapes and sizes to every operation that takes one, and compares the processor time of the service with that of a
 * small valid request. Wall-clock time would be that of the machine.
 */
export async function measureBodies(options: BodiesOptions): Promise<BodiesReport> {
  const { baseUrl, credentials, onProgress } = options;
  const meter = new Meter(options);
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  const operations = listOperations(document).filter(
    ({ id, bodyExample }) => bodyExample !== undefined && (options.operations?.includes(id) ?? true),
  );
  const { identities } = await signInAll(credentials, baseUrl);
  const smallMs = await meter.measureSmall(identities);
  const faults: string[] = [];
  const measured: { readonly text: string; readonly ratio: number }[] = [];
  for (const operation of operations) {
    onProgress?.(`Bodies of ${operation.id}`);
    const senders = listSenders(operation, identities);
    const lastFault = faults.length + maxFaultsOfOperation;
    for (const size of sizes) {
      for (const [shape, make] of Object.entries(bodyShapes)) {
        const body = make(size, fieldOf(operation));
        for (const sender of senders) {
          if (faults.length >= lastFault) break;
          const { ms, status, problem } = await meter.measureAgain(maxRatio * smallMs, () =>
            makeRequest(operation, body, sender),
          );
          const ratio = ms / smallMs;
          const text =
            `${operation.id}, ${Math.ceil(size / 1024)} KiB of ${shape}, ${sender.name}: ${status}, ${ms.toFixed(1)} ms of processor time, ` +
            `${ratio.toFixed(1)} times as much as a small valid request`;
          if (problem || ratio > maxRatio) faults.push(problem ? `${text}: ${problem}` : text);
          else measured.push({ text, ratio });
        }
      }
    }
  }
  meter.close();
  const expensive = measured.sort((a, b) => b.ratio - a.ratio).slice(0, shownExpensive);
  return { requests: meter.requests, smallMs, faults, expensive: expensive.map(({ text }) => text) };
}

/**
 * Uses up the invalid credentials of this address, and measures what further ones cost. The service must have its rate limits on.
 */
export async function measureSuspects(options: BodiesOptions): Promise<BodiesReport> {
  const { baseUrl, credentials } = options;
  const meter = new Meter(options);
  const { identities } = await signInAll(credentials, baseUrl);
  const smallMs = await meter.measureSmall(identities);
  const target = { id: 'createOrder', method: 'POST', path: '/api/v1/dapp/orders', takesSignature: true };
  const operation: FuzzedOperation = {
    ...target,
    takesToken: true,
    isForAdministrators: false,
    queryParameters: [],
    bodyExample: {},
  };
  const senders = listSenders(operation, identities).filter(({ name }) => name !== 'valid signature');
  const small = Buffer.from('{"a":1}');
  for (let count = 0; count < failureCount; count++) {
    for (const sender of senders.slice(0, 1)) await meter.measure(makeRequest(operation, small, sender));
  }
  const faults: string[] = [];
  for (const size of sizes) {
    const body = bodyShapes['empty objects']?.(size, 'items') ?? small;
    for (const sender of senders) {
      const results: Measured[] = [];
      for (let count = 0; count < suspectRequests; count++)
        results.push(await meter.measure(makeRequest(operation, body, sender)));
      const ms = median(results.map((result) => result.ms));
      const ratio = ms / smallMs;
      const [first] = results;
      if (ratio > maxRatioOfSuspects)
        faults.push(
          `After too many invalid credentials, ${Math.ceil(size / 1024)} KiB, ${sender.name}: ${first?.status}, ${ms.toFixed(1)} ms of ` +
            `processor time, ${ratio.toFixed(1)} times as much as a small valid request`,
        );
    }
  }
  meter.close();
  return { requests: meter.requests, smallMs, faults, expensive: [] };
}

/** Sends requests one after the other, and reads what each of them cost the service. */
class Meter {
  readonly #options: BodiesOptions;
  #connection: RawConnection | null = null;
  requests = 0;

  constructor(options: BodiesOptions) {
    this.#options = options;
  }

  async measure(request: FuzzedRequest): Promise<Measured> {
    const { baseUrl, pid } = this.#options;
    const { hostname: host, port } = new URL(baseUrl);
    if (!this.#connection?.isOpen) this.#connection = new RawConnection({ host, port: Number(port) });
    this.requests += 1;
    const before = readProcessorTime(pid);
    try {
      const response = await this.#connection.exchange(formatRequest(request));
      const ms = readProcessorTime(pid) - before;
      return { ms, status: response.status, problem: judgeResponse(request, response) };
    } catch (error) {
      return { ms: readProcessorTime(pid) - before, status: 0, problem: String(error) };
    }
  }

  /** Measures a request. If it costs more than this, it is measured again, and the least counts. */
  async measureAgain(limitMs: number, make: () => FuzzedRequest): Promise<Measured> {
    let least = await this.measure(make());
    for (let count = 1; count < repetitions && least.ms > limitMs; count++) {
      const again = await this.measure(make());
      if (again.ms < least.ms) least = again;
    }
    return least;
  }

  /** The processor time of a small valid request: a change with a body, signed. */
  async measureSmall(identities: readonly Identity[]): Promise<number> {
    const identity = identities.find(({ kind }) => kind === 'signature');
    if (!identity) throw new Error('There is no API key');
    const body = Buffer.from('{"description":"A small request"}');
    const make = () =>
      format(
        { id: 'updateSale', method: 'PATCH', target: '/api/v1/dapp/sales' },
        body,
        identity.authenticate(body),
      );
    for (let count = 0; count < warmUps; count++) {
      const { status } = await this.measure(make());
      if (status !== 200) throw new Error(`A small valid request got ${status}`);
    }
    const results: number[] = [];
    for (let count = 0; count < smallRequests; count++) results.push((await this.measure(make())).ms);
    return median(results);
  }

  close(): void {
    this.#connection?.close();
  }
}

function listSenders(operation: FuzzedOperation, identities: readonly Identity[]): Sender[] {
  const find = (kind: Identity['kind']) => identities.find((identity) => identity.kind === kind) as Identity;
  if (operation.isForAdministrators)
    return [{ name: 'token of an administrator', headersFor: find('administrator').authenticate }];
  if (operation.takesSignature) {
    const known = find('signature');
    const madeUp = makeUpIdentity();
    return [
      { name: 'made-up key', headersFor: madeUp.authenticate },
      { name: 'made-up key with a wrong signature', headersFor: () => madeUp.authenticate(other) },
      { name: 'wrong signature', headersFor: () => known.authenticate(other) },
      { name: 'valid signature', headersFor: known.authenticate },
    ];
  }
  if (operation.takesToken) return [{ name: 'token', headersFor: find('token').authenticate }];
  return [{ name: 'nobody', headersFor: () => ({}) }];
}

/** A field that the operation knows. A list comes first: its elements are validated one by one. */
function fieldOf({ bodyExample, listField }: FuzzedOperation): string {
  return listField ?? Object.keys(bodyExample ?? {})[0] ?? 'name';
}

function makeRequest(operation: FuzzedOperation, body: Buffer, { headersFor }: Sender): FuzzedRequest {
  const { id, method, path } = operation;
  const target = path.replaceAll(/\{\w+\}/g, () => randomUUID());
  return format({ id, method, target }, body, headersFor(body));
}

function format(
  { id, method, target }: { readonly id: string; readonly method: string; readonly target: string },
  body: Buffer,
  credentials: Readonly<Record<string, string>>,
): FuzzedRequest {
  const headers = Object.entries({
    host: 'shop.example',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...credentials,
  });
  return { operation: id, method, target, version: 'HTTP/1.1', headers, body };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
