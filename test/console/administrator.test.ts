import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Keyfront } from '../../packages/sdk/src/index.ts';
import { type ConsoleBrowser, expectAccessible, type Visitor } from '../support/console-browser.ts';
import { needs } from '../support/requirements.ts';
import { samplePicture } from '../support/sample-images.ts';
import { useDemoConsole } from '../support/use-demo-console.ts';

describe('the catalogue of administrators in the console', needs('Chromium'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-images-'));
  let browser: ConsoleBrowser;
  let admin: Visitor;
  let storefront: Keyfront;

  useDemoConsole(async (opened) => {
    ({ browser, storefront } = opened);
    admin = await browser.signIn('Administrator');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
  });
  afterEach(() => admin.expectNoComplaints());

  async function makePicture(name: string, width: number): Promise<string> {
    const path = join(folder, name);
    writeFileSync(path, await samplePicture(width).png().toBuffer());
    return path;
  }
  const upload = async (label: string, path: string) => {
    const [chooser] = await Promise.all([
      admin.page.waitForEvent('filechooser'),
      admin.page.getByRole('button', { name: label }).click(),
    ]);
    await chooser.setFiles(path);
  };

  it('adds a planet with an image, and changes it', async () => {
    const { page } = admin;
    await admin.visit('/admin/planets');
    await page.getByRole('button', { name: 'Add planet' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Teegarden');
    await form.getByLabel('Number').fill('4711');
    await upload('Add an image', await makePicture('planet.png', 40));
    await form.getByRole('img', { name: 'Image of the planet' }).waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Add planet' }).click();
    await page.getByText('Teegarden is added').waitFor();
    await page.getByRole('button', { name: 'Edit Teegarden' }).click();
    await form.getByLabel('Description').fill('A quiet red sun.');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'A quiet red sun.' }).waitFor();
    const { planets } = await storefront.planets.list();
    expect(planets.find(({ number }) => number === 4711)).toMatchObject({
      name: 'Teegarden',
      description: 'A quiet red sun.',
      imageUrl: expect.stringContaining('/images/'),
    });
  });

  it('adds a strain, with the service’s sentences at its fields', async () => {
    const { page } = admin;
    await admin.visit('/admin/catalogue');
    await page.getByRole('button', { name: 'Add strain' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Comet Thyme');
    await form.getByLabel('Planet').selectOption({ index: 0 });
    await form.getByLabel('THC in per cent').fill('180');
    await form.getByLabel('CBD in per cent').fill('0,8');
    await form.getByLabel('Base price').fill('12.50');
    await form.getByLabel('Countries').fill('Portug');
    await page.getByRole('option', { name: 'Portugal' }).click();
    await form.getByLabel('Countries').press('Escape');
    await form.getByLabel('Stock').fill('30');
    admin.expectRefusal(400);
    await form.getByRole('button', { name: 'Add strain' }).click();
    await form.getByText(/^Must/).first().waitFor();
    await expectAccessible(page);
    await form.getByLabel('THC in per cent').fill('18');
    await form.getByRole('button', { name: 'Add strain' }).click();
    await page.getByText('Comet Thyme is in the catalogue').waitFor();
    const { strains } = await storefront.strains.list({ search: 'Comet Thyme', countryCode: 'PRT' });
    expect(strains).toMatchObject([
      { name: 'Comet Thyme', thc: 18, cbd: 0.8, retailPrice: 12.5, stockQuantity: 30 },
    ]);
  });

  it('sells a strain in another country', async () => {
    const { page } = admin;
    await admin.visit('/admin/catalogue?search=Comet');
    await page.getByRole('button', { name: 'Edit Comet Thyme' }).click();
    const added = page.getByRole('group', { name: 'Another country' });
    await added.getByLabel('Country', { exact: true }).selectOption('Germany');
    await added.getByLabel('Price').fill('9,5');
    await added.getByLabel('Stock').fill('7');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Comet Thyme is changed').waitFor();
    const { strains } = await storefront.strains.list({ search: 'Comet Thyme', countryCode: 'DEU' });
    expect(strains).toMatchObject([{ retailPrice: 9.5, stockQuantity: 7 }]);
    // What is refused stands at its field, however long the dialog is.
    await page.getByRole('button', { name: 'Edit Comet Thyme' }).click();
    const germany = page.getByRole('group', { name: 'Germany' });
    await germany.getByLabel('Price in EUR').fill('cheap');
    admin.expectRefusal(400);
    await page.getByRole('button', { name: 'Save' }).click();
    await germany.getByText(/^Must/).waitFor();
    await germany.getByLabel('Price in EUR').and(page.locator(':focus')).waitFor();
    expect(await page.getByText('The strain was not changed').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('takes a strain out of the offer, which its stock does not change', async () => {
    const { page } = admin;
    await admin.visit('/admin/catalogue?search=Comet');
    const row = page.getByRole('row').filter({ hasText: 'Comet Thyme' });
    for (const [isActive, state] of [
      [false, 'Not offered'],
      [true, 'Available'],
    ] as const) {
      await page.getByRole('button', { name: 'Edit Comet Thyme' }).click();
      await page.getByLabel('Offered').setChecked(isActive);
      await page.getByRole('button', { name: 'Save' }).click();
      await row.getByText(state).waitFor();
      const { strains } = await storefront.strains.list({ search: 'Comet Thyme' });
      expect(strains).toMatchObject([{ isActive, isAvailable: isActive, stockQuantity: 37 }]);
    }
    // One that is sold out is offered all the same.
    await admin.visit('/admin/catalogue?isAvailable=false');
    await page.getByText('Out of stock').first().waitFor();
    await page.getByText('Not offered').first().waitFor();
  });

  it('reads amounts with a comma, and currencies in small letters', async () => {
    const { page } = admin;
    await admin.visit('/admin/delivery');
    await page.getByRole('button', { name: 'Set a charge' }).click();
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('Currency').inputValue()).toBe('EUR');
    await form.getByLabel('Country').selectOption('Austria');
    await form.getByLabel('Currency').fill('eur');
    await form.getByLabel('Charge').fill('5,90');
    await form.getByLabel('Free from').fill('€80');
    await form.getByRole('button', { name: 'Set' }).click();
    await page.getByRole('row').filter({ hasText: 'Austria' }).getByText('€5.90').waitFor();
    // By the names that somebody sees.
    const names = await page
      .getByRole('cell')
      .first()
      .locator('xpath=ancestor::tbody/tr/td[1]')
      .allInnerTexts();
    expect(names).toEqual(names.toSorted());
    const { deliveryCharges } = await storefront.deliveryCharges.list();
    expect(deliveryCharges.find(({ countryCode }) => countryCode === 'AUT')).toMatchObject({
      currency: 'EUR',
      deliveryCharge: 5.9,
      freeFrom: 80,
    });
  });

  it('sets the tax rate of a country', async () => {
    const { page } = admin;
    await admin.visit('/admin/delivery');
    await page.getByRole('button', { name: 'Edit Portugal in EUR' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Tax in per cent').fill('22,5');
    await form.getByRole('button', { name: 'Set' }).click();
    await page.getByRole('row').filter({ hasText: 'Portugal' }).getByText('22.5%').waitFor();
    const { deliveryCharges } = await storefront.deliveryCharges.list();
    expect(deliveryCharges.find(({ countryCode }) => countryCode === 'PRT')).toMatchObject({ taxRate: 22.5 });
    await page.getByRole('button', { name: 'Edit Portugal in EUR' }).click();
    await form.getByLabel('Tax in per cent').fill('101');
    admin.expectRefusal(400);
    await form.getByRole('button', { name: 'Set' }).click();
    await form.getByText(/^Must/).waitFor();
    await expectAccessible(page);
  });

  it('uploads, orders, describes and removes images of a strain', async () => {
    const { page } = admin;
    const imagesOf = async () =>
      (await storefront.strains.list({ search: 'Comet Thyme' })).strains[0]?.strainImages ?? [];
    await admin.visit('/admin/catalogue?search=Comet');
    await page.getByRole('button', { name: 'Images of Comet Thyme' }).click();
    const text = join(folder, 'not-an-image.png');
    writeFileSync(text, 'not an image');
    admin.expectRefusal(415);
    await upload('Add an image', text);
    await page.getByText('The image was not stored').waitFor();
    for (const [index, width] of [30, 50].entries()) {
      await upload('Add an image', await makePicture(`${width}.png`, width));
      await page.getByLabel(`What image ${index + 1} shows`).fill(`Width ${width}`);
    }
    await page.getByRole('button', { name: 'Move image 2 up' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The images of Comet Thyme are changed').waitFor();
    expect((await imagesOf()).map(({ altText }) => altText)).toEqual(['Width 50', 'Width 30']);
    await page.getByRole('button', { name: 'Images of Comet Thyme' }).click();
    await page.getByRole('button', { name: 'Remove image 1' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await imagesOf()).map(({ altText }) => altText)).toEqual(['Width 30']);
  });
});
