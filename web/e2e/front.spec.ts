// The first page and the six questions, as a stranger meets them.
import type { Page } from '@playwright/test';
import { axeFaults, expect, open, test } from './fixtures';

const editor = (page: Page) => page.locator('.cm-content');
const verdict = (page: Page) => page.locator('[data-findings] .verdict h3');

/** The doors of the first page, with what their pages show once they are filled. */
const doors: [string, (page: Page) => ReturnType<Page['locator']>][] = [
  ['Subject Matcher Verification Matrix', (page) => page.getByRole('gridcell', { name: 'match' }).first()],
  ['Recommended JetStream Stream JSON', (page) => page.locator('main').getByText('"max_bytes"').first()],
  ['Consumer Definition JSON', (page) => page.locator('main').getByText('"ack_wait"').first()],
  ['Idempotent Publisher with Backoff Retry', (page) => page.getByRole('region', { name: 'Fault table' })],
  ['5 Fatal Traps', (page) => page.getByRole('heading', { level: 1 })],
];

test('the first page names NATS and JetStream, and its doors open filled, without scrolling', async ({ page }) => {
  await open(page, '#/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('NATS and JetStream');
  for (const [name, result] of doors) {
    const door = page.locator('.doors').getByRole('link', { name });
    await expect(door).toBeInViewport({ ratio: 1 });
    await door.click();
    await expect(result(page), name).toBeVisible({ timeout: 2_000 });
    await page.goto('./#/');
  }
});

test('the trap of the first page is computed at once, and runs on the real server in this tab', async ({ page }) => {
  await open(page, '#/');
  const live = page.getByRole('region', { name: 'One trap, live' });
  await expect(live).toContainText('figure computed');
  await expect(live).not.toContainText('mechanism ran on');
  await live.getByRole('button', { name: 'Prove' }).click();
  await expect(live).toContainText(/mechanism ran on 2\.\d+\.\d+/, { timeout: 50_000 });
  await expect(live.getByRole('listitem').filter({ hasText: /delivery 2/ }).first()).toBeVisible();
});

test('six answers end in a design without a finding whose goals are met, open in the studio', async ({ page }) => {
  await open(page, '#/');
  await page.getByRole('link', { name: /A complete design/ }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  await expect(answer.getByRole('heading', { level: 2 })).toHaveText(/^No findings in 3 streams/);
  await page.getByRole('textbox', { name: 'called' }).fill('a.b');
  await expect(page.getByText('"a.b" is no plain word')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open in the studio' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'called' }).fill('invoices');
  await page.getByRole('textbox', { name: 'on a normal day' }).fill('40/s');
  await expect(answer.getByLabel('The design file')).toContainText('INVOICES:');
  await expect(answer).toContainText(/All \d+ goals are met|\d+ of \d+ goals are met, none is missed/);
  await expect(page).toHaveURL(/what=invoices/);
  await answer.locator('dl').getByRole('button', { name: /working$/ }).first().click();
  await expect(page.locator('.working')).toContainText('GiB');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'called' })).toHaveValue('invoices');
  await expect(answer.getByLabel('The design file')).toContainText('INVOICES:');
  expect(await axeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Open in the studio' }).click();
  await expect(verdict(page)).toContainText('accepts 3 streams and 3 consumers');
  await expect(editor(page)).toContainText('name: invoices');
});

for (const [width, height] of [[1440, 900], [1280, 800], [390, 844]] as const) {
  test(`first page and questions are clean at ${width}, and nothing is wider than the page`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const hash of ['#/', '#/labs/questions']) {
        await open(page, hash);
        await expect(page.locator('main h1')).toBeVisible();
        expect(await axeFaults(page), `${hash} ${scheme}`).toEqual([]);
        expect(await page.evaluate(() => document.querySelector('main')!.scrollWidth <= innerWidth), `${hash} ${scheme}`).toBe(true);
      }
    }
  });
}
