// The panels Advise and Outputs, and advice from a few numbers.
import { axeFaults, expect, open, test } from './fixtures';
import type { Page } from '@playwright/test';

const advice = (page: Page) => page.getByRole('region', { name: 'Advice', exact: true });

test('one value is set, then all that are open, and undo takes them out', async ({ page }) => {
  await open(page, '#/design?preset=five-traps&panel=advise');
  await expect(advice(page).getByRole('heading', { level: 3 }).first()).toContainText('work against the workload or the goals');
  const before = await advice(page).getByRole('button', { name: /^Set the \d+ open values$/ }).textContent();
  await advice(page).getByRole('button', { name: 'Set storage of ORDERS to file' }).click();
  await expect(page.locator('.cm-content')).toContainText('storage: file');
  await expect(advice(page).getByRole('button', { name: /^Set the \d+ open values$/ })).not.toHaveText(before!);
  await advice(page).getByRole('button', { name: /^Set the \d+ open values$/ }).click();
  await expect(advice(page).getByRole('button', { name: /^Set the \d+ open values$/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(advice(page).getByRole('button', { name: /^Set the \d+ open values$/ })).toBeVisible();
});

test('the recommended stream follows the numbers, and a wrong unit is said', async ({ page }) => {
  await open(page, '#/labs/stream-json');
  const answer = page.getByRole('region', { name: 'Answer' });
  await expect(answer).toContainText('"max_age": 259200000000000');
  await page.getByRole('textbox', { name: /^keep/ }).fill('24h');
  await expect(answer).toContainText('"max_age": 86400000000000');
  expect(page.url()).toContain('keep=24h');
  await page.getByRole('textbox', { name: /^keep/ }).fill('24');
  await expect(answer).toContainText('"24" has no unit');
  await answer.getByRole('button', { name: 'Copy Recommended JetStream Stream JSON' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"name": "ORDERS"');
});

test('a target is written, its files are read and downloaded', async ({ page }) => {
  await open(page, '#/design?preset=orders&panel=outputs');
  const outputs = page.getByRole('region', { name: 'Outputs' });
  await outputs.getByRole('button', { name: 'nats-server.conf of each node' }).click();
  await expect(outputs.locator('.cm-content')).toContainText('password: $CHECKOUT_PASSWORD');
  await outputs.getByRole('combobox', { name: 'File' }).selectOption('n2.conf');
  await expect(outputs.locator('.cm-content')).toContainText('server_name: "n2"');
  const download = page.waitForEvent('download');
  await outputs.getByRole('button', { name: 'Download 5 files' }).click();
  expect((await download).suggestedFilename()).toBe('server-conf.zip');
});

for (const [where, ready] of [['#/design?preset=five-traps&panel=advise', 'Set the'], ['#/design?preset=orders&panel=outputs', 'Download'], ['#/labs/consumer-json', 'max_ack_pending']] as const) {
  for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
    test(`axe finds nothing, and nothing is cut: ${where}, ${theme}, ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await open(page, where);
      await expect(page.getByText(ready).first()).toBeAttached();
      expect(await axeFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
  }
}
