import { readFile } from 'node:fs/promises';
import { Failure } from '../failure.ts';
import { isRecord } from '../json.ts';
import type { KeyProfile } from './profiles.ts';

export interface DemoHolder extends Omit<KeyProfile, 'url'> {
  readonly walletPrivateKey: string;
}

/** Whom one can be in the demo of a service. */
export interface Demo {
  readonly url: string;
  readonly holders: readonly DemoHolder[];
  readonly administratorPrivateKey: string;
}

/** Reads the file that a service with demo data leaves in its data folder. */
export async function readDemoFile(path: string): Promise<Demo> {
  const demo = parseDemo(await readFile(path, 'utf8'));
  if (demo === null) {
    throw new Failure(`${path} is not the file of a demo: \`npm start\` leaves one in .keyfront/demo.json`);
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
