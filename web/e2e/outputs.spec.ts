// The panel Outputs and the page of code from four numbers: files, and what the code was put through.
import { axeFaults, expect, open, test } from './fixtures';

test('the start page leads to the publisher, with its fault table in sight', async ({ page }) => {
  await open(page, '#/');
  await page.getByRole('link', { name: /^Idempotent Publisher with Backoff Retry/ }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  await expect(answer.getByRole('combobox', { name: 'File' })).toHaveValue('publisher.go');
  await expect(answer.locator('.cm-content')).toContainText('package main');
  const table = answer.getByRole('region', { name: 'Fault table' });
  await expect(table).toBeInViewport();
  await expect(table).toContainText('none was lost');
  await expect(table.getByRole('row', { name: /^server restart/ })).toContainText('1000 of 1000');
});

test('the code follows the numbers, and a wrong one is said', async ({ page }) => {
  await open(page, '#/labs/client-code');
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByRole('button', { name: 'Rust' }).click();
  await expect(answer.getByRole('combobox', { name: 'File' })).toHaveValue('src/publisher.rs');
  await answer.getByRole('combobox', { name: 'File' }).selectOption('src/settings.rs');
  await expect(answer.locator('.cm-content')).toContainText('PUBLISHERS');
  await page.getByRole('textbox', { name: /^work\b(?!ers)/ }).fill('0s');
  await expect(answer.getByRole('heading', { level: 2 })).toContainText('is no time');
  await page.getByRole('textbox', { name: /^work\b(?!ers)/ }).fill('3s');
  await expect(answer.getByRole('heading', { level: 2 })).toContainText('async-nats');
  await page.getByRole('button', { name: 'Open the design' }).click();
  await expect(page.locator('.cm-content').first()).toContainText('service_time: {mean: 3s}');
});

test('the table is that of the target, and configuration has none', async ({ page }) => {
  await open(page, '#/design?preset=orders&panel=outputs');
  const outputs = page.getByRole('region', { name: 'Outputs' });
  const table = outputs.getByRole('region', { name: 'Fault table' });
  await expect(table).toContainText('The record of TestFaultsGo');
  await outputs.getByRole('button', { name: 'Java' }).click();
  await expect(table).toContainText('The record of TestFaultsJava');
  await expect(outputs.getByRole('combobox', { name: 'File' })).toHaveValue('src/main/java/clients/Publisher.java');
  await outputs.getByRole('button', { name: 'Mermaid topology' }).click();
  await expect(table).toHaveCount(0);
});

for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
  test(`axe finds nothing, and nothing is cut: code from four numbers, ${theme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await open(page, '#/labs/client-code');
    const table = page.getByRole('region', { name: 'Fault table' });
    await table.scrollIntoViewIfNeeded();
    await expect(table.getByRole('row', { name: /^worker fails/ })).toBeAttached();
    await expect(page.locator('.old')).toHaveCount(0); // what waits for an answer is pale on purpose
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
}
