import { axeFaults, expect, open, test } from './fixtures';

test('a finding leads to its rule, the rule to its proof and to a repaired design', async ({ page }) => {
  await open(page, '#/design?preset=five-traps');
  await page.locator('[data-findings] [data-row]', { hasText: 'CON001' }).first().click();
  await page.getByRole('link', { name: 'Why CON001' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /CON001/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Why' })).toContainText('ack_wait');
  await page.getByRole('button', { name: 'Open it repaired' }).click();
  await expect(page).toHaveURL(/#\/design/);
  await expect(page.locator('[data-findings] .verdict')).toContainText('accepts');
});

test('the list has every rule, and an unknown code says so', async ({ page }) => {
  await open(page, '#/rules');
  await expect(page.getByText(/\d+ rules: what a server refuses/)).toBeVisible();
  await page.getByRole('link', { name: /SUB001/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /SUB001/ })).toBeVisible();
  await open(page, '#/rules?code=XYZ999');
  await expect(page.getByRole('heading', { level: 1, name: /is not a rule/ })).toBeVisible();
});

for (const [theme, width] of [['light', 1440], ['dark', 390]] as const) {
  test(`axe finds nothing, and nothing is cut: a rule, ${theme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const hash of ['#/rules', '#/rules?code=CON001']) {
      await open(page, hash);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await axeFaults(page), hash).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
}

test('a rule can be read on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#/rules?code=SUB001');
  for (const name of ['Why', 'Cure', 'Proof', 'Repaired']) await expect(page.getByRole('heading', { name })).toBeVisible();
});
