import type { Page } from '@playwright/test';
import { expect, list, open, test } from './fixtures';

const verdict = (page: Page) => page.locator('.verdict h2');

test('relate: overlaps with witnesses, reserved spaces, any two patterns', async ({ page }) => {
  await open(page, '#/subjects/relate');
  const pairs = page.getByRole('region', { name: 'Pairs that share a subject' });
  await expect(pairs.getByRole('row').nth(1)).toContainText('covered');
  await expect(pairs.getByRole('row').nth(1)).toContainText('orders.a');
  await list(page, 'Patterns').fill('$JS.>\norders.>');
  await expect(page.getByRole('region', { name: 'Reserved spaces reached' })).toContainText('jetstream api require no-ack');
  await page.getByLabel('A', { exact: true }).fill('a.*');
  await page.getByLabel('B', { exact: true }).fill('*.b');
  const pair = page.getByRole('complementary', { name: 'Any two patterns' });
  await expect(pair).toContainText('overlaps');
  await expect(pair).toContainText('a.b');
  await page.getByLabel('B', { exact: true }).fill('b.*');
  await expect(pair).toContainText('disjoint');
});

test('explain: a fault with its token, a suggestion that is valid, every context', async ({ page }) => {
  await open(page, '#/subjects/explain');
  await expect(verdict(page)).toContainText('> at position 2 is not the last token');
  await page.getByRole('button', { name: 'Write orders.*.processed' }).click();
  await expect(verdict(page)).toContainText('exactly 3 tokens');
  const row = page.getByRole('region', { name: 'In the other contexts' }).getByRole('row', { name: /core publish/ });
  await expect(row).toContainText('wildcard * at position 2');
  await page.getByRole('combobox', { name: 'Context' }).selectOption({ label: 'KV bucket' });
  await expect(verdict(page)).toContainText('not a valid KV bucket', { ignoreCase: true });
  await page.getByLabel('Server release').fill('nine');
  await expect(verdict(page)).toContainText('not a server release');
});

test('explain: MQTT topics as the server files them', async ({ page }) => {
  await open(page, '#/subjects/explain');
  const mqtt = page.getByRole('complementary', { name: 'MQTT and NATS' });
  await mqtt.getByLabel('Text').fill('a/b.c/+/#');
  await expect(mqtt).toContainText('a.b//c.*.>');
  await mqtt.getByLabel('This is a').selectOption('topic');
  await expect(mqtt).toContainText('wildcards are not allowed in a publish topic');
  await mqtt.getByLabel('This is a').selectOption('subject');
  await mqtt.getByLabel('Text').fill('a.b//c');
  await expect(mqtt).toContainText('a/b.c');
});

test('transform: every function does what its example says', async ({ page }) => {
  await open(page, '#/subjects/transform');
  const functions = page.getByRole('complementary', { name: 'Functions' });
  const items = functions.getByRole('listitem');
  await expect(items).toHaveCount(10);
  for (let i = 0; i < 10; i++) {
    const example = (await items.nth(i).locator('.ex').innerText()).replace(/\s+/g, ' ');
    await items.nth(i).getByRole('button').click();
    const result = page.locator('.form .result');
    if (example.includes('random')) await expect(result).toHaveText(/^becomes\s*a\.[0-4]$/);
    else await expect(result).toHaveText(new RegExp(`^becomes\\s*${example.split(' ').at(-1)!.replaceAll('.', '\\.')}$`));
  }
});

test('transform: the list, a refusal with its hint, strict', async ({ page }) => {
  await open(page, '#/subjects/transform');
  await expect(page.getByRole('row', { name: /^orders\.created/ })).toContainText('orders.1.created');
  await page.getByLabel('Destination').fill('x.{{wildcard(2)}}');
  await expect(verdict(page)).toContainText('wildcard index out of range');
  await page.getByLabel('Destination').fill('x.{{partition(3,1)}}');
  await expect(verdict(page)).toContainText('A valid transform');
  await page.getByLabel(/strict/).check();
  await expect(verdict(page)).toContainText('refuses this transform');
});

test('partition: distribution, comparison, the table behind the chart', async ({ page }) => {
  await open(page, '#/subjects/partition');
  await expect(verdict(page)).toContainText('8 partitions');
  await expect(page.getByRole('img', { name: /keys in 8 partitions/ }).locator('rect')).toHaveCount(8);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('t');
  const counts = await page.getByRole('region', { name: 'Keys in each partition' }).locator('tbody td:nth-child(2)').allInnerTexts();
  expect(counts).toHaveLength(8);
  expect(counts.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)).toBe(10_000);
  await page.getByLabel('Compare with').fill('16');
  await expect(page.locator('.figures')).toContainText(/move with 16\s*(49|50|51)\.\d %/);
  await page.getByRole('button', { name: 'a list' }).click();
  await expect(verdict(page)).toHaveText('No key yet.');
  await page.getByRole('textbox', { name: 'Keys, one key a line' }).fill('eu\nus\neu');
  await expect(verdict(page)).toContainText('3 keys');
  await page.getByRole('spinbutton', { name: 'Partitions' }).fill('0');
  await expect(verdict(page)).toContainText('write a number from 1');
  await page.getByRole('spinbutton', { name: 'Partitions' }).fill('5000');
  await page.getByRole('button', { name: 'chart' }).click();
  await expect(page.getByRole('img', { name: /keys in 5,000 partitions/ })).toBeVisible();
});

test('partition: how many subjects a template makes', async ({ page }) => {
  await open(page, '#/subjects/partition');
  const count = page.getByRole('region', { name: 'How many subjects' });
  await expect(count).toContainText('600,000');
  await count.getByLabel('Template').fill('a.{x}.*.{x}');
  await count.getByLabel('{x}').fill('7');
  await count.getByLabel('* at token 3').fill('3');
  await expect(count).toContainText('1 × 7 × 3 × 7 = 147');
  await count.getByLabel('Template').fill('a.>');
  await expect(count).toContainText('any number of tokens');
});
