import { expect, it } from 'vitest';
import { ImageUrls } from './image-urls.ts';

it.each([
  ['http://127.0.0.1:3000/api/v1', 'http://127.0.0.1:3000/images/a.png'],
  ['https://shop.example/keyfront/api/v1', 'https://shop.example/keyfront/images/a.png'],
])('%s: stores its own images as paths, and publishes them as URLs', (baseUrl, url) => {
  const urls = new ImageUrls(() => baseUrl);
  expect(urls.store(url)).toBe('/images/a.png');
  expect(urls.publish('/images/a.png')).toBe(url);
});

it.each(['https://elsewhere.example/images/a.png', 'https://127.0.0.1:3000/images/a.png'])(
  'leaves %s as it is',
  (url) => {
    const urls = new ImageUrls(() => 'http://127.0.0.1:3000/api/v1');
    expect([urls.store(url), urls.publish(url), urls.store(null)]).toEqual([url, url, null]);
  },
);
