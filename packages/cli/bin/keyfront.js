#!/usr/bin/env node

try {
  const { main } = await import('../dist/main.js');
  process.exitCode = await main();
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('keyfront is not built, or not all of it: run `npm run build` in the clone.\n');
  process.exitCode = 1;
}
