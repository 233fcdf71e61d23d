// Starts the built shop where SHOP_URL says. HOST and PORT choose another address, for example behind a proxy.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

if (existsSync('.env')) process.loadEnvFile();
if (!existsSync('build/server/index.js')) {
  console.error('The shop is not built yet: run `npm run build` first.');
  process.exit(1);
}
const { hostname, port } = new URL(process.env.SHOP_URL || 'http://127.0.0.1:3100');
// On a machine of its own, the shop is for nobody else in the network.
if (['127.0.0.1', 'localhost'].includes(hostname)) process.env.HOST ||= hostname;
if (port) process.env.PORT ||= port;
process.argv[2] = 'build/server/index.js';
const serve = createRequire(import.meta.url).resolve('@react-router/serve/package.json');
await import(pathToFileURL(join(dirname(serve), 'bin.js')).href);
