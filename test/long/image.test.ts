import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { needs } from '../support/requirements.ts';

const script = fileURLToPath(new URL('../../scripts/try-image.sh', import.meta.url));
/** The base is made once, with packages of Debian. */
const timeoutMs = 45 * 60_000;

it('the image and the services of the Compose file run', {
  ...needs('Linux', 'root', 'buildah'),
  timeout: timeoutMs,
}, async () => {
  const child = spawn(script, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
  expect(output).toMatch(/checks of the Compose file passed/);
});
