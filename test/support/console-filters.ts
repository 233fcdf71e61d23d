import type { Page } from 'playwright-core';

/** Sets a filter of a list by the menu of filters. */
export async function setFilter(page: Page, label: string, option: string | RegExp): Promise<void> {
  const popover = await openFilter(page, label);
  await popover.getByRole('button', { name: option }).click();
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
}

/** Opens a filter that is not set yet. */
export async function openFilter(page: Page, label: string) {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const popover = page.getByRole('dialog', { name: 'Filter' });
  await popover.getByRole('button', { name: label, exact: true }).click();
  return popover;
}

/** The chip of a filter that is set. */
export function filterChip(page: Page, text: string) {
  return page.getByRole('search').getByRole('button', { name: text, exact: true });
}
