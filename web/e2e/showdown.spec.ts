// The showdowns: found from the start page and the menu, numbers with their
// working, and seals only from evidence.
import { axeFaults, expect, open, test } from './fixtures';

const names = ['core-jetstream', 'retention', 'pull-push', 'nats-kafka'];

test('the start page leads to them, and the menu names each as its page does', async ({ page }) => {
  await open(page, '#/');
  await page.getByRole('link', { name: /Architecture Showdowns/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Core or JetStream');
  const known = page.getByRole('navigation', { name: 'Showdowns' }).getByRole('link');
  await expect(known).toHaveCount(names.length);
  const titles = await known.allInnerTexts();
  await page.getByRole('banner').getByRole('button', { name: 'Showdowns' }).click();
  const menu = page.getByRole('menuitemradio');
  expect((await menu.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(titles);
  await menu.last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(titles.at(-1)!);
  for (const [i, name] of names.entries()) {
    await page.goto(`./#/showdowns/${name}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(titles[i]!);
  }
});

for (const theme of ['light', 'dark'] as const) {
  for (const [device, width, height] of [['desk', 1440, 900], ['phone', 390, 844]] as const) {
    test(`axe finds nothing and nothing is cut: ${theme}, ${device}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const name of names) {
        await open(page, `#/showdowns/${name}`);
        await expect(page.getByRole('region', { name: 'Figures', exact: true })).toBeVisible();
        expect(await axeFaults(page), name).toEqual([]);
        const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.querySelector('.answer')!.scrollWidth));
        expect(wide, name).toBeLessThanOrEqual(width);
      }
    });
  }
}

test('a cell has its seal only from the proof that ran', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/showdowns/retention');
  await expect(page.locator('[data-cell]')).toHaveCount(33);
  await expect(page.locator('[data-held]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Prove: There is no consumer yet' }).click();
  await expect(page.locator('[data-cell^="retention-no-consumer "] [data-held="true"]')).toHaveCount(3, { timeout: 90_000 });
  await expect(page.locator('[data-cell]:not([data-cell^="retention-no-consumer "]) [data-held]')).toHaveCount(0);
  await expect(page.locator('[data-ran]')).toHaveText(/^1 of \d+ proofs ran on nats-server 2\.15\.2 in this tab and held\.$/);
});

test('a number shows its working, and a stalled reader is placed by its bytes', async ({ page }) => {
  await open(page, '#/showdowns/pull-push');
  const closed = page.getByRole('group', { name: 'Who is disconnected when a reader stands still, table' });
  await expect(closed).toContainText('closed at max_pending 1 MiB');
  await closed.getByRole('button', { name: /23\.4 MiB/ }).first().click();
  await expect(page.getByRole('complementary', { name: 'Working of a figure' })).toContainText('messages in flight × message');
});

test('a side opens as a design, and undo brings the one before back', async ({ page }) => {
  await open(page, '#/showdowns/pull-push');
  await page.getByRole('button', { name: 'Open Push as design' }).click();
  await expect(page).toHaveURL(/#\/design/);
  await expect(page.getByText('deliver.thumbs').first()).toBeVisible();
});
