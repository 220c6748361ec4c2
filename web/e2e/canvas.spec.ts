import type { Page } from '@playwright/test';
import { axeFaults, expect, open, test } from './fixtures';

const canvas = (page: Page) => page.locator('[data-canvas]');
const node = (page: Page, id: string) => canvas(page).locator(`[data-id="${id}"]`);

async function openPreset(page: Page, name: string): Promise<void> {
  await open(page, `#/design?preset=${name}`);
  await expect(canvas(page).locator('.card.stream').first()).toBeVisible();
}

/** A design of many streams with consumers, as a person would paste it. */
async function pasteLarge(page: Page, streams: number, each: number): Promise<void> {
  const text = Array.from({ length: streams }, (_, i) => `  S${i}:\n    subjects: [s${i}.>]\n    max_bytes: 1GiB\n    consumers:\n` +
    Array.from({ length: each }, (_, c) => `      c${c}: {ack_policy: explicit, workers: {count: 2, service_time: 10ms}}\n`).join('')).join('');
  const publishers = Array.from({ length: streams }, (_, i) => `  p${i}: {subject: s${i}.x, rate: 10/s, payload: 100B}\n`).join('');
  await page.evaluate((value) => navigator.clipboard.writeText(value), `weir: 1\nname: large\nstreams:\n${text}publishers:\n${publishers}`);
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+v');
}

test('the canvas shows what the engine says: five columns, rates, levels, findings, what is refused', async ({ page }) => {
  await openPreset(page, 'five-traps');
  await expect(canvas(page).locator('.head')).toHaveText(['Publishers 2', 'Subjects 2', 'Streams 3', 'Consumers 4', 'Workers 13']);
  const x = async (id: string) => (await node(page, id).boundingBox())!.x;
  const row = [await x('publishers.checkout'), await x('publishers.checkout.subject'), await x('streams.ORDERS'), await x('streams.ORDERS.consumers.fraud'), await x('streams.ORDERS.consumers.fraud.workers')];
  expect(row).toEqual(row.toSorted((a, b) => a - b));
  await expect(node(page, 'streams.ORDERS')).toContainText('full at');
  await expect(node(page, 'streams.ORDERS').locator('.gauge .water')).toHaveCount(1);
  await expect(node(page, 'streams.AUDIT').locator('.gauge .water')).toHaveCount(0);
  await expect(node(page, 'streams.ORDERS.consumers.fraud')).toContainText('refused: 500/10052');
  await expect(node(page, 'streams.ORDERS.consumers.fraud').locator('.badge.error')).toHaveText('1');
  await expect(canvas(page).locator('path.edge.refused')).toHaveCount(2);
  await expect(canvas(page).locator('path.edge.source')).toHaveCount(1);
  // The fix ends it on the canvas as well.
  await page.getByRole('button', { name: 'Write orders.*.paid', exact: true }).click();
  await expect(canvas(page).locator('path.edge.refused')).toHaveCount(0);
  await expect(node(page, 'streams.ORDERS.consumers.fraud.workers')).toContainText('% busy');
});

test('zoom keeps every text readable, fit shows all of it, and the list says the same', async ({ page }) => {
  await openPreset(page, 'five-traps');
  const smallest = () => canvas(page).evaluate((root) => {
    let least = Infinity;
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      const parent = text.parentElement!;
      if (!text.textContent!.trim() || parent.closest('.sr')) continue;
      const sheet = parent.closest<HTMLElement>('.sheet');
      const scale = sheet ? sheet.getBoundingClientRect().width / sheet.offsetWidth : 1;
      least = Math.min(least, parseFloat(getComputedStyle(parent).fontSize) * scale);
    }
    return least;
  });
  expect(await smallest()).toBeGreaterThanOrEqual(11.9);
  for (let i = 0; i < 6; i++) {
    await canvas(page).getByRole('button', { name: 'Smaller' }).click();
    expect(await smallest()).toBeGreaterThanOrEqual(10.99);
  }
  await canvas(page).getByRole('button', { name: 'fit' }).click();
  const overflow = await canvas(page).locator('.view').evaluate((view) => view.scrollHeight - view.clientHeight);
  expect(overflow).toBeLessThanOrEqual(1);
  await canvas(page).getByRole('button', { name: 'list' }).click();
  await canvas(page).getByRole('button', { name: /^Stream ORDERS, limits, R3.*1 warning, from orders\.\*\.\*, to billing, fraud, analytics, AUDIT$/ }).click();
  // With a node its worst finding is chosen, in the text too.
  await expect(page.locator('.cm-line.cm-chosen')).toContainText('duplicate_window');
  expect(await axeFaults(page)).toEqual([]);
});

test('a large design is folded, and opened stream by stream', async ({ page }) => {
  await openPreset(page, 'orders');
  await pasteLarge(page, 200, 5);
  await expect(node(page, 'streams.S0.consumers')).toContainText('5 consumers', { timeout: 45_000 });
  await expect(canvas(page).locator('.head').filter({ hasText: 'Consumers' })).toHaveText('Consumers 1,000');
  // Only what is in sight is in the page.
  expect(await canvas(page).locator('.card').count()).toBeLessThan(120);
  await node(page, 'streams.S0.consumers').dblclick();
  await expect(node(page, 'streams.S0.consumers.c4.workers')).toBeVisible();
  await expect(node(page, 'streams.S1.consumers')).toBeAttached();
});
