// The Backpressure panel and its lab: a coarse answer at once, the run behind it,
// values that are tried, tables, keys, the phone, and no faults of access.
import { axeFaults, expect, open, test } from './fixtures';
import type { Page } from '@playwright/test';

const panel = (page: Page) => page.getByRole('region', { name: 'Backpressure' });
const simulated = { timeout: 50_000 };

test('the panel simulates the design, draws each measure, and its tables hold the values', async ({ page }) => {
  await open(page, '#/design?preset=jobs&panel=backpressure');
  await expect(panel(page).locator('.verdict h3')).not.toBeEmpty();
  await expect(panel(page).getByText(/simulated, seed \d+ in/)).toBeVisible(simulated);
  for (const chart of ['Pending', 'Oldest pending', 'Latency, stored to acknowledged', 'Redeliveries', 'Workers busy']) {
    await expect(panel(page).getByRole('img', { name: new RegExp(`^${chart};`) })).toBeVisible();
  }
  await panel(page).getByRole('img', { name: /^Pending;/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel(page).getByRole('img', { name: /^Pending; at .+, pending / })).toBeVisible();
  await page.keyboard.press('t');
  await expect(panel(page).getByRole('columnheader', { name: 'pending', exact: true })).toBeVisible();
});

test('what a proof measured is laid over what is predicted of it', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/design?preset=jobs');
  await page.getByRole('banner').getByRole('button', { name: 'Prove' }).click();
  await expect(page.getByRole('region', { name: 'Proof' }).getByText(/ran on \d/).first()).toBeVisible({ timeout: 90_000 });
  await page.getByRole('tab', { name: /^Backpressure/ }).click();
  const proof = panel(page).getByRole('img', { name: /^Proof: num_pending \+ num_ack_pending;/ });
  await expect(proof).toBeVisible(simulated);
  await expect(panel(page).getByText(/\d+ of \d+ looks at the server lie within what the simulated runs had then\..+a message stands for some/)).toBeVisible();
  await proof.focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel(page).getByRole('img', { name: /^Proof: .+; at .+, predicted \d+ \(\d+ to \d+\), measured \d+ message/ })).toBeVisible();
  await page.keyboard.press('t');
  for (const column of ['predicted', 'measured']) await expect(panel(page).getByRole('columnheader', { name: column, exact: true }).first()).toBeVisible();
  // Another text is another design: its measurements are not shown as this one's.
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# changed\n');
  await expect(proof).toHaveCount(0);
});

test('a value is tried, and written where it stands', async ({ page }) => {
  await open(page, '#/design?preset=jobs&panel=backpressure');
  await expect(panel(page).getByText(/simulated, seed/)).toBeVisible(simulated);
  const count = panel(page).getByRole('slider', { name: /workers.count/ }).first();
  await count.focus();
  await page.keyboard.press('ArrowRight');
  const write = panel(page).getByRole('button', { name: /^Set streams\..*workers\.count to \d+$/ });
  await expect(write).toBeEnabled();
  const value = /to (\d+)$/.exec((await write.textContent()) ?? '')?.[1];
  await write.click();
  await expect(page.locator('.cm-content')).toContainText(`count: ${value}`);
  await expect(panel(page).getByRole('button', { name: 'As written' })).toHaveCount(0);
});

test('the lab sets pull beside push, and shows when a failed message comes again', async ({ page }) => {
  await open(page, '#/labs/backpressure');
  const answer = page.getByRole('region', { name: 'Answer' });
  await expect(answer.getByText(/simulated, seed/)).toBeVisible(simulated);
  await expect(answer.getByRole('columnheader', { name: /pull/ })).toBeVisible();
  await expect(answer.getByRole('columnheader', { name: /push/ })).toBeVisible();
  for (const way of ['pull', 'push']) await expect(answer.getByRole('region', { name: way }).getByRole('img', { name: /^Pending;/ })).toBeVisible();
  await answer.getByRole('button', { name: 'Over each other' }).click();
  await expect(answer.getByRole('img', { name: /^Pending;/ })).toHaveCount(1);
  await answer.getByRole('button', { name: 'Side by side' }).click();
  const retries = page.getByRole('region', { name: 'When a failed message comes again' });
  await expect(retries.getByRole('img', { name: /^term: delivery 1/ })).toBeVisible();
  await page.getByRole('slider', { name: /^workers \d/ }).focus();
  await page.keyboard.press('Home');
  await expect(answer.locator('.verdict h2')).toContainText('saturate', simulated);
  expect(page.url()).toContain('workers=1');
});

test('a long run shows its charts as they grow, and can be cancelled', async ({ page }) => {
  await open(page, '#/labs/backpressure?rate=5000%2Fs&burst=10000%2Fs&burst_for=5m&workers=32');
  const answer = page.getByRole('region', { name: 'Answer' });
  await expect(answer.getByText(/of 10 min simulated so far/)).toBeVisible(simulated);
  await expect(answer.getByRole('region', { name: 'pull' }).getByRole('img', { name: /^Redeliveries;/ })).toBeVisible();
  await answer.getByRole('button', { name: 'Cancel' }).click();
  await expect(answer.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await expect(answer.getByText(/so far/)).toBeVisible();
});

for (const [hash, theme, width] of [
  ['#/design?preset=jobs&panel=backpressure', 'light', 1440], ['#/design?preset=jobs&panel=backpressure', 'dark', 390],
  ['#/labs/backpressure', 'dark', 1280], ['#/labs/backpressure', 'light', 390],
] as const) {
  test(`axe finds nothing, and nothing is cut: ${hash}, ${theme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await open(page, hash);
    await expect(page.getByText(/simulated, seed/).last()).toBeVisible(simulated);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
