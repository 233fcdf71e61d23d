import { readFile } from 'node:fs/promises';
import { CliError } from '../cli-error.ts';
import { isRecord } from '../is-record.ts';
import { withPath } from '../with-path.ts';
import type { KeyProfile } from './profiles.ts';

export interface DemoHolder extends Omit<KeyProfile, 'url'> {
  readonly walletPrivateKey: string;
}

/** The credentials of a service with demo data. */
export interface Demo {
  readonly url: string;
  readonly holders: readonly DemoHolder[];
  readonly administratorPrivateKey: string;
}

/** Reads the `demo.json` that a service with demo data writes into its data folder. */
export async function readDemoFile(path: string): Promise<Demo> {
  const demo = parseDemo(await withPath(path, () => readFile(path, 'utf8')));
  if (demo === null) {
    throw new CliError(`${path} is not a demo file. \`npm start\` writes one to .keyfront/demo.json.`);
  }
  return demo;
}

function parseDemo(text: string): Demo | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(file) || typeof file.baseUrl !== 'string') return null;
  if (!Array.isArray(file.holders) || !isRecord(file.admin)) return null;
  const holders = file.holders.map(readHolder).filter((holder) => holder !== null);
  const { walletPrivateKey } = file.admin;
  if (holders.length === 0 || typeof walletPrivateKey !== 'string') return null;
  return { url: file.baseUrl, holders, administratorPrivateKey: walletPrivateKey };
}

function readHolder(value: unknown): DemoHolder | null {
  if (!isRecord(value)) return null;
  const { apiKey, secretKey, walletPrivateKey } = value;
  if (typeof apiKey !== 'string' || typeof secretKey !== 'string') return null;
  return typeof walletPrivateKey === 'string' ? { apiKey, secretKey, walletPrivateKey } : null;
}
