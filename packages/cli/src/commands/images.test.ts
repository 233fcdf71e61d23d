import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const uploaded = {
  imageUrl: 'https://shop.example/images/5c5c.png',
  contentType: 'image/png',
  width: 64,
  height: 48,
  sizeBytes: 1024,
};

describe('keyfront images upload', () => {
  it('sends the bytes of each file as they are, and prints the URLs', async () => {
    const harness = createHarness({ respond: () => success(uploaded) });
    const files = ['one.png', 'two.png'].map((name) => join(harness.folder, name));
    for (const file of files) writeFileSync(file, `bytes of ${file}`);
    const { code, stdout, stderr } = await harness.run('images', 'upload', ...files);
    expect(stderr).toBe('');
    expect([code, stdout]).toEqual([0, `${uploaded.imageUrl}\n${uploaded.imageUrl}\n`]);
    expect(harness.requests.map(({ method, target, body }) => [method, target, body])).toEqual(
      files.map((file) => ['POST', '/admin/images', `bytes of ${file}`]),
    );
    expect(harness.requests[0]?.headers.get('content-type')).toBe('application/octet-stream');
  });

  it('reads standard input, and prints JSON', async () => {
    const harness = createHarness({ respond: () => success(uploaded), stdin: 'bytes' });
    const { stdout } = await harness.run('images', 'upload', '-', '--json');
    expect(JSON.parse(stdout)).toEqual([uploaded]);
    expect(harness.requests[0]?.body).toBe('bytes');
  });

  it('says why an image is refused', async () => {
    const message = 'The file is not a PNG, JPEG or WebP image';
    const harness = createHarness({ respond: () => failure(415, message), stdin: '<svg/>' });
    const { code, stderr } = await harness.run('images', 'upload', '-');
    expect(code).toBe(4);
    expect(stderr).toContain(message);
  });

  it('names a file that does not exist', async () => {
    const { code, stderr } = await createHarness({}).run('images', 'upload', 'nowhere.png');
    expect(code).toBe(1);
    expect(stderr).toContain('nowhere.png');
  });
});
