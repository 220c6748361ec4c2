// The labs of size and the Sizing panel: answers with their working, into the
// design, by keyboard, on the phone, and without faults of access.
import { axeFaults, expect, open, test } from './fixtures';
import type { Page } from '@playwright/test';

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });

test('an answer goes into the design, and undo takes it out', async ({ page }) => {
  await open(page, '#/design?preset=jobs');
  await expect(page.locator('[data-findings] .verdict h3')).toContainText('accepts');
  await page.goto('./#/labs/stream?payload=800&rate=800%2Fs&max-age=72h&replicas=3');
  await expect(answer(page).getByRole('heading', { level: 2 })).toContainText('on each of 3 replicas');
  await page.getByRole('button', { name: 'Add to design' }).click();
  await expect(page.getByRole('button', { name: /^Stream SIZED/ })).toBeAttached();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: /^Stream SIZED/ })).toHaveCount(0);
});

test('figures are copied as Markdown', async ({ page }) => {
  await open(page, '#/labs/memory');
  await page.getByRole('button', { name: 'Copy Figures as Markdown' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('| reported |');
});

for (const lab of ['stream', 'dedup', 'memory', 'cluster', 'record']) {
  for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
    test(`axe finds nothing, and nothing is cut: ${lab}, ${theme}, ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await open(page, `#/labs/${lab}`);
      await expect(answer(page).getByRole('heading', { level: 2 })).not.toBeEmpty();
      expect(await axeFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  }
}

const panel = (page: Page) => page.getByRole('region', { name: 'Sizing' });

test('the panel sizes the design, tries values in place of those written, and writes them', async ({ page }) => {
  await open(page, '#/design?preset=five-traps&panel=sizing');
  const verdict = panel(page).getByRole('heading', { level: 3 }).first();
  await expect(verdict).toContainText(/Fits, but n1 has 8 GiB of memory/);
  await expect(panel(page).getByRole('region', { name: /^Disk, each of n1, n2/ })).toBeVisible();
  await panel(page).getByRole('slider', { name: /duplicate_window/ }).focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
  await expect(verdict).toContainText(/^If so: /);
  await expect(panel(page).getByRole('button', { name: 'As written' })).toBeVisible();
  const took = /computed in (\d+)/.exec((await panel(page).locator('.took').textContent()) ?? '');
  console.log(`a slider's move: ${took?.[0] ?? 'under 1'} ms`);
  // The button is drawn anew with each answer that is still on its way.
  await expect(async () => {
    await panel(page).getByRole('button', { name: /^Set streams.ORDERS.duplicate_window to/ }).click({ timeout: 2000 });
    await expect(page.locator('.cm-content')).toContainText('duplicate_window: 10m', { timeout: 4000 });
  }).toPass({ timeout: 30_000 });
  await expect(verdict).not.toContainText('If so');
});

test('a figure of the panel shows its working down to sources; tables stand behind the chart', async ({ page }) => {
  await open(page, '#/design?preset=orders&panel=sizing');
  const terms = panel(page).getByRole('region', { name: 'Terms', exact: true });
  await terms.getByRole('button', { name: /, working$/ }).nth(3).click();
  const working = panel(page).getByRole('complementary', { name: 'Working of a figure' });
  await expect(working.locator('summary').first()).toBeVisible();
  await panel(page).getByRole('img', { name: /^Disk of .* from empty/ }).focus();
  await page.keyboard.press('t');
  await expect(panel(page).getByRole('columnheader', { name: 'after' })).toBeVisible();
});

for (const [theme, width] of [['light', 1440], ['dark', 1280], ['light', 390]] as const) {
  test(`axe finds nothing on the panel: ${theme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await open(page, '#/design?preset=five-traps&panel=sizing');
    await expect(panel(page).getByRole('heading', { level: 3 }).first()).toContainText('Fits');
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

for (const { name, hash, field, wrong } of [
  { name: 'calculator', hash: '#/labs/dedup', field: 'rate', wrong: 'fast' },
  { name: 'calculator without a needed value', hash: '#/labs/dedup', field: 'rate', wrong: '' },
  { name: 'stream from numbers', hash: '#/labs/stream-json', field: 'rate', wrong: 'fast' },
]) {
  test(`a wrong value is said of its field: ${name}`, async ({ page }) => {
    await open(page, hash);
    const input = page.getByRole('form', { name: 'Values' }).getByRole('textbox', { name: new RegExp(`^${field}\\b`) });
    await expect(input).toHaveAttribute('aria-invalid', 'false');
    const right = await input.inputValue();
    await input.fill(wrong);
    await expect(input).toHaveAttribute('aria-invalid', 'true');
    await expect(input).toHaveAccessibleDescription(/rate/);
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(1);
    await input.fill(right);
    await expect(input).toHaveAttribute('aria-invalid', 'false');
    await expect(input).toHaveAccessibleDescription('');
  });
}
