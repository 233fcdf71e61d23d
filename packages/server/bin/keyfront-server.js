#!/usr/bin/env node

try {
  await import('../dist/bundle/main.js');
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('Keyfront is not built or not fully installed. In a clone, run `npm run build`.\n');
  process.exitCode = 1;
}
