// How do we know, and the trap pages: verdicts with sources, seals only from runs
// in this tab, harm and cure, and the cure written into a design.
import { axeFaults, expect, open, test } from './fixtures';

test('the ledger is reached from the header, filtered, and its address keeps the filter', async ({ page }) => {
  await open(page, '#/');
  await page.getByRole('banner').getByRole('link', { name: 'How do we know' }).click();
  await expect(page.getByRole('heading', { name: 'How do we know?' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/\d+ often repeated: \d+ are true/);
  await page.getByRole('button', { name: 'not verified', exact: true }).click();
  await expect(page).toHaveURL(/#\/claims\?verdict=not\+verified/);
  await expect(page.locator('[data-claim]')).toHaveCount(await page.locator('[data-claim] .tag', { hasText: 'not verified' }).count());
  await expect(page.locator('[data-claim=C41]')).toBeVisible();
});

test('a claim has a seal only when its proof ran in this tab', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/claims?claim=C30');
  const row = page.locator('[data-claim=C30]');
  await expect(row).toBeInViewport();
  await expect(page.locator('main .seal')).toHaveCount(0);
  await row.getByText('Sources').click();
  await expect(row).toContainText('NewJSStreamStoreFailedError');
  await row.getByRole('button', { name: 'Prove C30' }).click();
  await expect(row.locator('[data-held=true]')).toContainText(/mechanism ran on \d/, { timeout: 90_000 });
  // C31 rests on the same proof and on another one that was not run.
  await expect(page.locator('[data-claim=C31] .seal')).toHaveCount(1);
  await expect(page.locator('[data-claim=C05] .seal')).toHaveCount(0);
});

test('running all can be cancelled, and what ran stays', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/claims?verdict=true');
  await page.getByRole('button', { name: /Prove these/ }).click();
  await expect(page.getByRole('main').getByText(/^proof [2-9] of/)).toBeVisible({ timeout: 90_000 });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('main').getByText(/^Stopped in /)).toBeVisible({ timeout: 30_000 });
  expect(await page.locator('main [data-held=true]').count()).toBeGreaterThan(0);
});

for (const [number, title, says] of [
  [1, 'A wildcard in the middle is refused', 'refused by the server'],
  [2, 'A stalled push reader is cut off', 'lost'],
  [3, 'A job longer than ack_wait runs twice', 'work.together'],
  [4, 'A full stream refuses, and nobody hears', ''],
  [5, 'A week of ids fills the memory', 'per_id'],
] as const) {
  test(`fatal trap ${number} is shown and cured on the real server`, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page, '#/labs/traps');
    await page.getByRole('button', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole('region', { name: 'The cure', exact: true })).toContainText(/\w/);
    await expect(page.getByRole('region', { name: 'The rule' })).toContainText(/[A-Z]{3}\d{3}/);
    await expect(page.getByRole('region', { name: 'Often repeated' }).getByRole('link').first()).toBeVisible();
    await expect(page.getByRole('slider').nth(1)).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await expect(page.locator('.said[data-held]')).toHaveAttribute('data-held', 'true', { timeout: 90_000 });
    if (says !== '') await expect(page.getByRole('region', { name: 'Without the cure, and with it' })).toContainText(says);
  });
}

test('the cure is written into the design that is open, and undo takes it back', async ({ page }) => {
  await open(page, '#/design?preset=five-traps');
  await expect(page.getByRole('contentinfo')).toContainText(/1 error/);
  await page.evaluate(() => (location.hash = '#/labs/traps?lab=ack-wait'));
  const cure = page.getByRole('region', { name: 'The cure', exact: true });
  await expect(cure).toContainText('CON001');
  await expect(cure.getByRole('group', { name: 'What the fix writes' })).toContainText('- ack_wait: 30s');
  await cure.getByRole('button', { name: /Write ack_wait: / }).click();
  await expect(cure).toContainText('It has none of this trap.');
  await page.getByRole('button', { name: 'A wildcard in the middle is refused' }).click();
  await cure.getByRole('button', { name: /Write orders\.\*\.paid/ }).click();
  await expect(cure).toContainText('It has none of this trap.');
  await page.evaluate(() => (location.hash = '#/design'));
  await expect(page.locator('.cm-content')).toContainText(/ack_wait: \dm/);
  await expect(page.getByRole('contentinfo')).toContainText(/^(?!.*1 error)/);
});

test('without a design a trap opens one that has it', async ({ page }) => {
  await open(page, '#/labs/traps?lab=full');
  await page.getByRole('button', { name: 'Open a design that has it' }).click();
  await expect(page.locator('.cm-content')).toContainText('mode: core');
  await expect(page.getByRole('region', { name: 'Findings' })).toContainText('PUB001');
});

for (const theme of ['light', 'dark'] as const) {
  for (const [device, width, height] of [['desk', 1440, 900], ['phone', 390, 844]] as const) {
    test(`axe finds nothing on claims and traps: ${theme}, ${device}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await open(page, '#/claims');
      await expect(page.locator('[data-claim=C48]')).toBeAttached();
      expect(await axeFaults(page), 'claims').toEqual([]);
      const small = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('main button, main a[href], main summary, main input')]
            .filter((node) => node.offsetParent !== null && node.getBoundingClientRect().height < 39)
            .map((node) => node.outerHTML.slice(0, 80)),
        );
      if (device === 'phone') expect(await small(), 'claims: smaller than a finger').toEqual([]);
      const wide = () => page.evaluate(() => Math.max(...[...document.querySelectorAll('main, .answer')].map((node) => node.scrollWidth)));
      expect(await wide(), 'claims').toBeLessThanOrEqual(width);
      await open(page, '#/labs/traps?trap=wildcard-in-the-middle');
      await expect(page.locator('.said[data-held]')).toHaveAttribute('data-held', 'true', { timeout: 90_000 });
      expect(await axeFaults(page), 'a trap').toEqual([]);
      if (device === 'phone') expect(await small(), 'a trap: smaller than a finger').toEqual([]);
      expect(await wide(), 'a trap').toBeLessThanOrEqual(width);
    });
  }
}
