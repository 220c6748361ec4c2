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
  await expect(canvas(page).locator('.head')).toHaveText(['Publishers 2', 'Subjects 2', 'Streams 3', 'Consumers 4', 'Workers 15']);
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
  await canvas(page).getByRole('button', { name: /^Stream ORDERS, limits, R3.*1 warning, 1 note, from orders\.\*\.\*, to billing, fraud, analytics, AUDIT$/ }).click();
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

test('a node is edited in a form: the text follows with its comments, the form follows the text, undo goes over both', async ({ page }) => {
  await openPreset(page, 'five-traps');
  await node(page, 'streams.ORDERS').click();
  await page.keyboard.press('Enter');
  const form = page.getByRole('complementary', { name: 'Fields of Stream ORDERS' });
  const age = form.getByRole('textbox', { name: 'max_age' });
  const line = page.locator('.cm-line', { hasText: /^ {4}max_bytes:/ });
  await expect(age).toHaveValue('72h');
  await form.getByRole('textbox', { name: 'max_bytes' }).fill('160GiB');
  await page.keyboard.press('Enter');
  await expect(line).toHaveText('    max_bytes: 160GiB # full before max_age: less than three days are kept');
  await expect(node(page, 'streams.ORDERS')).toContainText('160GiB full at');
  // What cannot be read is said and not written.
  await age.fill('72');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('alert')).toContainText('has no unit');
  await expect(page.locator('.cm-line', { hasText: /^ {4}max_age: 72h$/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(age).toHaveValue('72h');
  // A version's own fields, with documentation, default and mutability.
  await form.getByRole('button', { name: 'all', exact: true }).click();
  await expect(form).toContainText('How long a Nats-Msg-Id is remembered');
  await expect(form).toContainText('default 2m');
  await expect(form).toContainText('since 2.12.0; update: refused');
  await form.getByRole('combobox', { name: 'storage' }).selectOption('memory');
  await expect(node(page, 'streams.ORDERS')).toContainText('memory');
  // The text flows back, and one history has it all.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(form.getByRole('combobox', { name: 'storage' })).toHaveValue('');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(form.getByRole('textbox', { name: 'max_bytes' })).toHaveValue('150GiB');
  await expect(line).toContainText('150GiB # full before');
  expect(await axeFaults(page)).toEqual([]);
  await form.getByRole('button', { name: 'Close the form' }).click();
  await expect(node(page, 'streams.ORDERS')).toBeFocused();
});

test('streams and consumers are added and deleted, and undo brings them back', async ({ page }) => {
  await openPreset(page, 'orders');
  await canvas(page).getByRole('button', { name: 'New stream' }).click();
  await expect(node(page, 'streams.NEW')).toHaveAttribute('aria-pressed', 'true');
  const form = page.getByRole('complementary', { name: 'Fields of Stream NEW' });
  await form.getByRole('button', { name: 'New consumer of NEW' }).click();
  await expect(node(page, 'streams.NEW.consumers.consumer')).toBeVisible();
  const consumer = page.getByRole('complementary', { name: 'Fields of Consumer consumer' });
  await consumer.getByRole('button', { name: 'Delete' }).click();
  await expect(node(page, 'streams.NEW.consumers.consumer')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(node(page, 'streams.NEW.consumers.consumer')).toBeVisible();
});

test('what is chosen in one view is chosen in the others', async ({ page }) => {
  await openPreset(page, 'five-traps');
  // A line of the text.
  await page.locator('.cm-line', { hasText: 'retention: workqueue' }).click();
  await expect(node(page, 'streams.INVOICES')).toHaveAttribute('aria-pressed', 'true');
  await page.locator('.cm-line', { hasText: 'filter_subject: orders.>.paid' }).click();
  await expect(node(page, 'streams.ORDERS.consumers.fraud')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('[data-findings] [aria-current=true]')).toContainText('SUB001');
  // A finding, and a node.
  await page.locator('[data-findings] [data-row]', { hasText: 'CON001' }).first().click();
  await expect(node(page, 'streams.INVOICES.consumers.render')).toHaveAttribute('aria-pressed', 'true');
  await node(page, 'streams.ORDERS.consumers.analytics').click();
  await expect(page.locator('[data-findings] [aria-current=true]')).toContainText('push.analytics');
  // A row of the matrix.
  await page.getByRole('tab', { name: 'Subjects' }).click();
  await page.getByRole('button', { name: 'jobs.invoice.*' }).and(page.locator('tbody .pick')).click();
  await expect(node(page, 'publishers.invoices')).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.cm-line.cm-chosen')).toContainText(/invoices|mode: core/);
});

test('simulated goals stand at the foot of the canvas, a phone has the streams as gauges on top', async ({ page }) => {
  await openPreset(page, 'iot');
  await page.getByRole('tab', { name: /^Backpressure/ }).click();
  await expect(canvas(page).getByRole('button', { name: /^Goals .* simulated, seed \d+$/ })).toBeVisible({ timeout: 45_000 });
  await expect(canvas(page).locator('.goals')).toContainText(/goal/);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('list', { name: 'Streams' }).getByRole('button', { name: /^FLEET/ })).toBeVisible();
  await page.getByRole('list', { name: 'Streams' }).getByRole('button', { name: /^FLEET/ }).click();
  await page.getByRole('navigation', { name: 'Parts of the workbench' }).getByRole('button', { name: 'Canvas' }).click();
  await page.getByRole('button', { name: 'Fields of FLEET' }).click();
  await expect(page.getByRole('textbox', { name: 'max_age' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axeFaults(page)).toEqual([]);
});
