import { cell, drawn, expect, list, open, paste, pasteLists, test } from './fixtures';
import { longestTask } from './tasks';

test('opens with the textbook patterns against their near misses', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1200 });
  await open(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Subject Matcher Verification Matrix');
  await expect(page).toHaveTitle(/Subject Matcher Verification Matrix/);
  await expect(list(page, 'Patterns')).toHaveValue('orders.*\norders.>\nevents.user.*.login\ntelemetry.>');
  await expect(page.getByRole('columnheader')).toHaveText([/Subject/, /orders\.\*/, /orders\.>/, /events\.user\.\*\.login/, /telemetry\.>/, /Matched by/]);
  // Judged by hand from the rules of NATS, not read from the engine.
  await expect.poll(() => drawn(page)).toEqual({
    'orders.created': '1100',
    'orders.eu.created': '0100',
    orders: '0000',
    'Orders.created': '0000',
    'orders.*': '1100',
    'orders..created': 'xxxx',
    'events.user.42.login': '0010',
    'events.user.login': '0000',
    'events.user.42.session.login': '0000',
    'events.user.42.logout': '0000',
    'telemetry.plant7.line2.temp': '0001',
    telemetry: '0000',
    'telemetry.>': '0001',
    'telemetry temp': 'xxxx',
  });
});

test('a cell shows the token that decides, and a suggestion becomes a pattern', async ({ page }) => {
  await open(page);
  await cell(page, 'orders.eu.created', 'orders.*').click();
  const why = page.getByRole('region', { name: 'Why this cell is as it is' });
  await expect(why.getByRole('heading')).toHaveText(/^No match: 3 tokens against 2/);
  await expect(why.locator('.vd.no')).toHaveText('created has no place in the pattern');
  await why.getByRole('button', { name: 'Add pattern orders.*.*' }).click();
  await expect(cell(page, 'orders.eu.created', 'orders.*.*')).toHaveAccessibleName('match');
  await expect(list(page, 'Patterns')).toHaveValue(/\norders\.\*\.\*$/);
  await expect(why.getByRole('heading')).toHaveText(/^No match/);
  await expect(why.getByRole('listitem').filter({ hasText: 'orders.*.*' })).toContainText('in the list');
});

test('a surprise chooses its cell', async ({ page }) => {
  await open(page);
  const card = page.getByRole('button', { name: /^orders\.eu\.created/ });
  await card.click();
  await expect(card).toHaveAttribute('aria-pressed', 'true');
  await expect(cell(page, 'orders.eu.created', 'orders.*')).toHaveAttribute('aria-selected', 'true');
});

test('adds lines, shows what is not valid, folds equal patterns', async ({ page }) => {
  await open(page);
  await page.getByLabel('Add a pattern').fill('orders.>.paid');
  await page.keyboard.press('Enter');
  await page.getByLabel('Add a pattern').fill('orders.*');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('columnheader').filter({ hasText: 'orders.>.paid' })).toContainText('not valid');
  await expect(page.getByRole('columnheader').nth(1)).toContainText('2 equal');
  await expect(page.getByRole('columnheader')).toHaveCount(7);
  await expect(cell(page, 'orders.created', 'orders.>.paid')).toHaveAccessibleName('not valid');
  await page.getByLabel('Add a subject to test').fill('orders.eu.paid');
  await page.keyboard.press('Enter');
  await expect(page.locator('footer')).toContainText('15 subjects');
});

test('walks the grid by keyboard', async ({ page }) => {
  await open(page);
  await cell(page, 'orders.created', 'orders.*').click();
  const focused = () => page.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    return `${at.closest<HTMLElement>('[data-subject]')?.dataset.subject} ${at.dataset.pattern}`;
  });
  const steps: [string, string][] = [
    ['ArrowRight', 'orders.created orders.>'],
    ['ArrowDown', 'orders.eu.created orders.>'],
    ['End', 'orders.eu.created telemetry.>'],
    ['Home', 'orders.eu.created orders.*'],
    ['ArrowLeft', 'orders.eu.created orders.*'],
    ['Control+End', 'telemetry temp telemetry.>'],
    ['PageUp', 'Orders.created telemetry.>'],
    ['Control+Home', 'orders.created orders.*'],
  ];
  for (const [key, want] of steps) {
    await page.keyboard.press(key);
    await expect.poll(focused, key).toBe(want);
  }
  await expect(page.getByRole('grid').locator('[tabindex="0"]')).toHaveCount(1);
});

const region = (n: number) => `region-${n % 12}`;
const manyPatterns = (n: number) => Array.from({ length: n }, (_, i) => (i % 3 ? `orders.*.customer-${i}.>` : `orders.${region(i)}.*.created`)).join('\n');
const manySubjects = (n: number) => Array.from({ length: n }, (_, i) => `orders.${region(i)}.customer-${i}.${['created', 'paid', 'refunded'][i % 3]}`).join('\n');

test('5,000 pasted subjects against 200 patterns never hold the page for 200 ms', async ({ page, browser }) => {
  await open(page);
  await page.getByRole('button', { name: 'Clear both' }).click();
  await expect(page.locator('footer')).toContainText('0 subjects');
  const longest = await longestTask(browser, page, async () => {
    await paste(page, 'Patterns', manyPatterns(200));
    await paste(page, 'Subjects', manySubjects(5000));
    await expect(page.locator('footer')).toContainText('1,000,000 cells');
    await page.getByRole('grid').evaluate(async (grid) => {
      for (let i = 0; i < 40; i++) {
        grid.scrollBy(61, 3301);
        await new Promise(requestAnimationFrame);
      }
    });
  });
  expect(longest).toBeLessThan(200);
  await page.getByRole('grid').press('Control+End');
  await expect(cell(page, 'orders.region-7.customer-4999.paid', 'orders.*.customer-199.>')).toHaveAccessibleName('no match');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '5001');
});

test('a long list is edited line by line', async ({ page }) => {
  await open(page);
  await pasteLists(page, 'orders.>', manySubjects(3000));
  const lines = page.getByRole('listbox', { name: /^Subjects/ });
  await lines.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('orders..typed');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText('1 not valid');
  await page.keyboard.press('Delete');
  await expect(page.locator('footer')).toContainText('2,999 subjects');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('footer')).toContainText('3,000 subjects');
  await expect(page.getByRole('complementary')).not.toContainText('not valid');
});

test('a list beyond the limit is refused in words, and the result before stays', async ({ page }) => {
  await open(page);
  // There must be a result before the edit: a slow machine may still be starting the engine.
  await expect(cell(page, 'orders.created', 'orders.*')).toHaveAccessibleName('match');
  await paste(page, 'Patterns', '\n' + Array.from({ length: 100_001 }, (_, i) => `a.${i}`).join('\n'));
  await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: 'split the list' })).toContainText('more than 100,000');
  await expect(page.getByText('The result below is from before this edit.')).toBeVisible();
  await expect(cell(page, 'orders.created', 'orders.*')).toHaveAccessibleName('match');
});

test('CRLF, NUL, bad depth and a subject of 5 KiB are shown, not obeyed', async ({ page }) => {
  await open(page);
  const long = 'a.'.repeat(2560) + 'a';
  await pasteLists(page, 'a.>\r\nb.\0.c\r\n\r\n', `a.b\r\nb.\0.c\r\n${long}\r\n<img src=x onerror=alert(1)>\r\n`);
  await expect(page.locator('footer')).toContainText('4 subjects');
  await expect.poll(async () => Object.values(await drawn(page)).map((row) => row.length)).toEqual([2, 2, 2, 2]);
  expect((await drawn(page))['a.b']).toBe('10');
  await expect(page.locator('img')).toHaveCount(0);
});

test('work that takes long can be given up, and the result before stays', async ({ page }) => {
  await open(page);
  await paste(page, 'Patterns', manyPatterns(2000) + '\n');
  await expect(page.locator('footer')).toContainText('2,004 patterns');
  await paste(page, 'Subjects', manySubjects(200_000) + '\n');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.verdict')).toContainText('Stopped before it was done');
  await expect(page.locator('footer')).toContainText('14 subjects');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.verdict')).not.toContainText('Stopped');
  await expect(page.locator('footer')).toContainText('engine ready');
});

test('reads a list from a file, and says what was not UTF-8', async ({ page }) => {
  await open(page);
  const opener = page.locator('input[type=file]').first();
  await opener.setInputFiles({ name: 'patterns.txt', mimeType: 'text/plain', buffer: Buffer.from('a.*\r\nb.>\r\n') });
  await expect(page.locator('footer')).toContainText('2 patterns');
  await opener.setInputFiles({ name: 'latin1.txt', mimeType: 'text/plain', buffer: Buffer.from([0x61, 0xe4, 0x2e, 0x3e]) });
  await expect(page.getByRole('status').filter({ hasText: 'not UTF-8' })).toBeVisible();
  await expect(page.locator('footer')).toContainText('1 pattern');
});

test('copies the matrix as TSV and Markdown', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'TSV' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const tsv = await page.evaluate(() => navigator.clipboard.readText());
  expect(tsv.split('\n')[0]).toBe('subject\torders.*\torders.>\tevents.user.*.login\ttelemetry.>');
  expect(tsv).toContain('orders.eu.created\tno match\tmatch\tno match\tno match\n');
  await page.getByRole('button', { name: 'Markdown' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('| `orders.created` | match | match | no match | no match |');
});

test('undo and redo, by button and in the field', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  await page.getByRole('button', { name: 'Clear both' }).click();
  await expect(page.getByText('No pattern yet')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await expect(list(page, 'Patterns')).toHaveValue(/orders/);
  await page.keyboard.press('Control+Shift+z');
  await expect(list(page, 'Patterns')).toHaveValue('');
  await list(page, 'Patterns').fill('x.y');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(list(page, 'Patterns')).toHaveValue(/orders/);
});
