import type { Strain, StrainPage, UploadedImage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { samplePng } from '../../support/sample-images.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertStrain } from '../../support/storefront-data.ts';

const { holder, admin, service, sql } = await openStorefront();

const ask = (strainId: string, body: object) => admin.ask('PATCH', `/admin/strains/${strainId}`, { body });
const change = async (strainId: string, body: object) => {
  const { imageUrl, strainImages } = dataOf<Strain>(await ask(strainId, body));
  return { imageUrl, strainImages };
};
const read = async (strainId: string) => dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${strainId}`));
const image = (name: string, altText: string) => ({
  strainImageUrl: `https://images.example/${name}`,
  altText,
});

it('replaces all images, and shows the first as imageUrl', async () => {
  const { id, name } = await insertStrain(sql);
  expect(await read(id)).toMatchObject({ imageUrl: null, strainImages: [] });
  const { strainImageUrl } = image('2.png', '');
  const strainImages = [image('1.png', 'A leaf'), image('2.png', name), image('3.png', '')];
  expect(await change(id, { strainImages: [strainImages[0], { strainImageUrl }, strainImages[2]] })).toEqual({
    imageUrl: 'https://images.example/1.png',
    strainImages,
  });
  expect(await read(id)).toMatchObject({ imageUrl: 'https://images.example/1.png', strainImages });
  const { strains } = dataOf<StrainPage>(
    await holder.ask('GET', `/dapp/strains?search=${encodeURIComponent(name)}`),
  );
  expect(strains).toMatchObject([{ id, strainImages }]);
  expect(await change(id, { strainImages: [] })).toEqual({ imageUrl: null, strainImages: [] });
});

it('replaces and removes the first image with imageUrl', async () => {
  const { id, name } = await insertStrain(sql);
  const first = image('1.png', name);
  expect(await change(id, { imageUrl: first.strainImageUrl })).toEqual({
    imageUrl: first.strainImageUrl,
    strainImages: [first],
  });
  const second = image('2.png', 'A field');
  await change(id, { strainImages: [image('0.png', 'A leaf'), second] });
  expect((await change(id, { imageUrl: first.strainImageUrl })).strainImages).toEqual([first, second]);
  expect(await change(id, { imageUrl: null })).toEqual({
    imageUrl: second.strainImageUrl,
    strainImages: [second],
  });
  expect(await change(id, { imageUrl: null })).toEqual({ imageUrl: null, strainImages: [] });
});

it('takes imageUrl together with strainImages where both say the same, as a response does', async () => {
  const { id } = await insertStrain(sql);
  const changed = await change(id, { strainImages: [image('1.png', 'A leaf'), image('2.png', 'A field')] });
  expect(await change(id, changed)).toEqual(changed);
  const none = { imageUrl: null, strainImages: [] };
  expect(await change(id, none)).toEqual(none);
});

it('leaves the images of a strain that changes otherwise', async () => {
  const { id } = await insertStrain(sql);
  const strainImages = [image('1.png', 'A leaf'), image('2.png', 'A field')];
  await change(id, { strainImages });
  expect((await change(id, { description: 'New' })).strainImages).toEqual(strainImages);
});

it('stores an uploaded image as a path, which stays valid when the service moves', async () => {
  const { id } = await insertStrain(sql);
  const headers = { 'content-type': 'image/png' };
  const { imageUrl } = dataOf<UploadedImage>(
    await admin.ask('POST', '/admin/images', { body: await samplePng(), headers }),
  );
  const changed = await change(id, {
    strainImages: [{ strainImageUrl: imageUrl }, { strainImageUrl: imageUrl, altText: 'Again' }],
  });
  expect(changed.imageUrl).toBe(imageUrl);
  expect(changed.strainImages.map(({ strainImageUrl }) => strainImageUrl)).toEqual([imageUrl, imageUrl]);
  const path = imageUrl.replace(service.origin, '');
  const [row] = await sql('SELECT image_url, more_images FROM strains WHERE id = $1', [id]);
  expect(row).toEqual({ image_url: path, more_images: [{ strainImageUrl: path, altText: 'Again' }] });
  expect(await read(id)).toMatchObject(changed);
});

it.each<[object, string]>([
  [
    { imageUrl: 'https://a.example/1.png', strainImages: [] },
    'imageUrl must be the URL of the first of strainImages',
  ],
  [{ strainImages: [{ altText: 'x' }] }, 'strainImages.0.strainImageUrl is required'],
  [
    { strainImages: [{ strainImageUrl: 'javascript:alert(1)' }] },
    'strainImages.0.strainImageUrl must be a URL address',
  ],
  [{ strainImages: [{ strainImageUrl: null }] }, 'strainImages.0.strainImageUrl must be a string'],
  [{ strainImages: Array(21).fill(image('1.png', '')) }, 'strainImages must have no more than 20 elements'],
])('rejects %j', async (body, issue) => {
  const { id } = await insertStrain(sql);
  const reply = await ask(id, body);
  expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
  expect(await read(id)).toMatchObject({ imageUrl: null, strainImages: [] });
});
