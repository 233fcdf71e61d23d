import type { Page } from 'playwright-core';
import type { Strain } from '../../packages/sdk/src/index.ts';
import type { Shop } from './storefront-shop.ts';

let count = 0;

/** Asks for a code with an address that nobody has used, and enters it. */
export async function signInAsNew(page: Page, shop: Shop): Promise<string> {
  count += 1;
  const email = `customer-${process.pid}-${count}@example.org`;
  await page.goto(`${shop.url}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code').fill((await page.locator('.code').textContent()) ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Register' }).waitFor();
  return email;
}

/** Fills in the registration, and sends it. */
export async function register(page: Page, country: string): Promise<void> {
  const answers = {
    'First name': 'Greta',
    'Last name': 'Example',
    'Street and number': 'Beispielweg 1',
    'Postal code': '10115',
    City: 'Berlin',
    'What do you want to treat?': 'I cannot sleep.',
  };
  for (const [label, text] of Object.entries(answers)) await page.getByLabel(label).fill(text);
  await page.getByLabel('Country').selectOption({ label: country });
  await page.getByLabel('I am an adult').check();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
}

/** The id of the client whom Keyfront knows by this address, or undefined. */
export async function findClientId({ holder }: Shop, email: string): Promise<string | undefined> {
  return (await holder.clients.list({ email })).clients[0]?.id;
}

/** Registers a customer in Germany who may order. Returns the id of the client. */
export async function registerApproved(page: Page, shop: Shop): Promise<string> {
  const email = await signInAsNew(page, shop);
  await register(page, 'Germany');
  const clientId = (await findClientId(shop, email)) ?? '';
  await shop.admin.admin.clients.update(clientId, { isKYCVerified: true, adminApproval: 'VERIFIED' });
  return clientId;
}

/** Strains with plenty of stock in Germany. */
export async function listPlentiful({ holder }: Shop): Promise<Strain[]> {
  const { strains } = await holder.strains.list({ countryCode: 'DEU', take: 100 });
  return strains.filter(({ isAvailable, stockQuantity }) => isAvailable && stockQuantity > 20);
}

export async function addToCart(
  page: Page,
  shop: Shop,
  strain: Strain | undefined,
  quantity: number,
): Promise<void> {
  await page.goto(`${shop.url}/strains/${strain?.id}`);
  await page.getByLabel('Quantity').fill(String(quantity));
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('heading', { name: 'Cart' }).waitFor();
}

export const orderButton = (page: Page) => page.getByRole('button', { name: /^Order and pay/ });
