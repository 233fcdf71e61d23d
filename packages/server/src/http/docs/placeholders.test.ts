import { describe, expect, it } from 'vitest';
import { insertAddresses, placeholders } from './placeholders.ts';

const { root, baseUrl, stagingUrl } = placeholders;
const text = `curl "${baseUrl}/keys"\n- Staging: ${stagingUrl}\nSee ${root}/docs\n`;

describe('addresses of an installation', () => {
  it('take the place of placeholders', () => {
    expect(
      insertAddresses(text, {
        baseUrl: 'https://a.example/x/api/v1',
        stagingUrl: 'https://b.example/api/v1',
      }),
    ).toBe(
      'curl "https://a.example/x/api/v1/keys"\n- Staging: https://b.example/api/v1\nSee https://a.example/x/docs\n',
    );
  });

  it('leave out a staging environment that there is not', () => {
    expect(insertAddresses(text, { baseUrl: 'http://[::1]:3000/api/v1', stagingUrl: null })).toBe(
      'curl "http://[::1]:3000/api/v1/keys"\nSee http://[::1]:3000/docs\n',
    );
    const servers = JSON.stringify([{ url: baseUrl }, { url: stagingUrl, description: 'Staging' }]);
    expect(JSON.parse(insertAddresses(servers, { baseUrl: '/api/v1', stagingUrl: null }))).toEqual([
      { url: '/api/v1' },
    ]);
  });

  it('mean nothing to HTML, JSON or a shell', () => {
    const hostile = { baseUrl: `https://a.example/"'<b>$(id)\`\\&/api/v1`, stagingUrl: null };
    expect(insertAddresses(root, hostile)).toBe('https://a.example/%22%27%3Cb%3E%24%28id%29%60%5C%26');
  });
});
