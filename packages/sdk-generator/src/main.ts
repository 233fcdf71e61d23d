import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generateSdk } from './generate-sdk.ts';

const folder = new URL('../../sdk/src/generated/', import.meta.url);

mkdirSync(folder, { recursive: true });
const files = generateSdk();
for (const name of readdirSync(folder)) {
  if (!files.has(name)) rmSync(new URL(name, folder), { recursive: true });
}
for (const [name, text] of files) {
  const file = new URL(name, folder);
  // An unchanged file keeps its modification time, so that the compiler has nothing to do.
  if (readIfExists(file) !== text) writeFileSync(file, text);
}

function readIfExists(file: URL): string | null {
  try {
    return readFileSync(fileURLToPath(file), 'utf8');
  } catch {
    return null;
  }
}
