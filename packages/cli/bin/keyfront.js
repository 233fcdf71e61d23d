#!/usr/bin/env node

try {
  const { main } = await import('../dist/main.js');
  process.exitCode = await main();
} catch (error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write(
    'error: The Keyfront CLI is not built or not fully installed. In a clone, run `npm run build`.\n',
  );
  process.exitCode = 1;
}
