import { expect } from 'vitest';
import { startService, withDataFolder } from './service-process.ts';

/** Starts the service with settings that it refuses, and expects this sentence and no stack trace. */
export async function expectRefusedStart(settings: Record<string, string>, sentence: RegExp): Promise<void> {
  await withDataFolder(async (folder) => {
    const service = startService({ KEYFRONT_DATA: folder, ...settings });
    expect(await service.ended).toBe(1);
    const sentences = service
      .output()
      .split('\n')
      .filter((line) => !/^(Creating|Starting|Applying) /.test(line));
    expect(sentences.join('\n')).toMatch(sentence);
    expect(service.output()).not.toMatch(/\bat .+:\d+:\d+|node:internal/);
  });
}
