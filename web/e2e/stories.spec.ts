// What people come for, each from the first page to the result by what a person
// does there: clicks, keys, a file dropped. Engine and server are the real ones.
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { axeFaults, expect, open, test } from './fixtures';

const editor = (page: Page) => page.locator('.cm-content').first();
const findings = (page: Page) => page.getByRole('region', { name: 'Findings' });
const proof = (page: Page) => page.getByRole('region', { name: 'Proof' });
const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
/** A run on the real server, its loading included. */
const ran = { timeout: 120_000 };

/** Proves the design that is open, and waits for what the server has shown. */
async function prove(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Prove' }).click();
  await expect(proof(page).getByText(/ran on \d/).first()).toBeVisible(ran);
}

/** Drops a file on the page. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(([name, text]) => {
    const out = new DataTransfer();
    out.items.add(new File([text!], name!));
    return out;
  }, [name, text]);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  const zone = page.locator('[data-drop=replace]');
  await zone.dispatchEvent('dragover', { dataTransfer: transfer });
  await zone.dispatchEvent('drop', { dataTransfer: transfer });
}

test.beforeEach(async ({ page }) => {
  test.setTimeout(300_000);
  await open(page, '#/');
});

test('six questions end in an orders platform that is proved, and in its code', async ({ page }) => {
  await page.getByRole('link', { name: /A complete design/ }).click();
  await page.getByRole('textbox', { name: 'on a normal day' }).fill('200/s');
  await page.getByRole('textbox', { name: 'for', exact: true }).fill('48h');
  await expect(answer(page).getByRole('heading', { level: 2 })).toContainText('No findings in 3 streams and 3 consumers');
  await expect(answer(page)).toContainText(/All \d+ goals are met|\d+ of \d+ goals are met, none is missed/, { timeout: 50_000 });
  await page.getByRole('button', { name: 'Open in the studio' }).click();
  await expect(findings(page).getByRole('status')).toContainText('accepts 3 streams and 3 consumers');
  await expect(editor(page)).toContainText('max_age: 48h');
  await prove(page);
  await expect(proof(page).getByRole('status').first()).toContainText(/^(\d+) claims, \1 held/);
  await tab(page, 'Outputs').click();
  const outputs = page.getByRole('region', { name: 'Outputs' });
  await outputs.getByRole('button', { name: 'Python' }).click();
  await expect(outputs.getByRole('region', { name: 'Fault table' })).toContainText('none was lost');
  const [download] = await Promise.all([page.waitForEvent('download'), outputs.getByRole('button', { name: /^Download \d+ files/ }).click()]);
  expect(readFileSync(await download.path()).toString('latin1')).toContain('worker.py');
});

test('the five fatal traps are reproduced and cured one by one, and the design is proved', async ({ page }) => {
  await page.getByRole('link', { name: /five traps/ }).click();
  const tour = page.getByRole('region', { name: 'Tour of the five traps' });
  await expect(page.getByRole('complementary', { name: 'The chosen finding' })).toContainText('10052');
  for (let step = 1; step <= 5; step++) {
    await expect(tour.getByRole('heading')).toContainText(`Step ${step} of 5`);
    await tour.getByRole('button', { name: 'Prove' }).click();
    await expect(proof(page).getByText(/mechanism ran on/)).toBeVisible(ran);
    await expect(proof(page).getByText('did not hold')).toHaveCount(0);
    await tour.getByRole('button', { name: 'Fix' }).click();
    await expect(tour.getByRole('button', { name: new RegExp(`^Step ${step}:.*done$`) })).toBeVisible();
    if (step < 5) await tour.getByRole('button', { name: 'Next' }).click();
  }
  await expect(tour).toContainText('All five traps are gone.');
  await tab(page, 'Findings').click();
  await expect(findings(page).getByRole('status')).toContainText('accepts 3 streams and 4 consumers');
  await prove(page);
  await expect(proof(page).getByRole('status').first()).toContainText(/^(\d+) claims, \1 held/);
  expect(await axeFaults(page)).toEqual([]);
  await tour.getByRole('button', { name: 'Leave the tour' }).click();
  await expect(tour).toHaveCount(0);
});

test('a dedup window of seven days is sized, made short, and goes into a design', async ({ page }) => {
  await page.getByRole('button', { name: 'Labs' }).click();
  await page.getByRole('menuitemradio', { name: /^Dedup calculator/ }).click();
  const verdict = answer(page).getByRole('heading', { level: 2 });
  await expect(verdict).toContainText('766 GiB (704 GiB to 822 GiB) of heap on each replica for 6,048,000,000 ids');
  await expect(answer(page)).toContainText('often repeated as 45 GB');
  await answer(page).getByRole('table').getByRole('button', { name: /^dedup ids: 766 GiB/ }).click();
  const working = page.getByRole('complementary', { name: 'Working of a figure' });
  await working.locator('summary').first().click();
  await expect(working).toContainText('rate × duplicate_window');
  await page.getByRole('textbox', { name: /^rate/ }).fill('-1/s');
  await expect(verdict).toContainText('rate: "-1/s" is negative');
  await expect(answer(page)).toContainText('before this edit');
  await page.getByRole('textbox', { name: /^rate/ }).fill('10000/s');
  await page.getByRole('textbox', { name: /^window/ }).fill('2m');
  await expect(verdict).toContainText('for 1,200,000 ids');
  await expect(page).toHaveURL(/window=2m/);
  await expect(answer(page)).toContainText('weir size dedup --rate 10000/s --window 2m --id-bytes 36');
  await page.getByRole('button', { name: 'Add to design' }).click();
  await expect(editor(page)).toContainText('duplicate_window: 2m');
  await tab(page, 'Sizing').click();
  const sizing = page.getByRole('region', { name: 'Sizing' });
  await expect(sizing.getByRole('button', { name: /^dedup/ }).first()).toBeVisible();
});

test('pull is set against push while a reader stands still, and the real server shows both', async ({ page }) => {
  await page.getByRole('link', { name: /Architecture Showdowns/ }).click();
  await page.getByRole('navigation', { name: 'Showdowns' }).getByRole('link', { name: 'Pull or push' }).click();
  const closed = page.getByRole('group', { name: 'Who is disconnected when a reader stands still, table' });
  await expect(closed).toContainText('closed at max_pending');
  await expect(page.locator('[data-held]')).toHaveCount(0);
  await page.getByRole('button', { name: /^Prove all/ }).click();
  await expect(page.locator('[data-ran]')).toHaveText(/^(\d+) of \1 proofs ran on nats-server 2\.\d+\.\d+ in this tab and held\.$/, { timeout: 200_000 });
  await page.getByRole('button', { name: 'Open Pull as design' }).click();
  await expect(findings(page).getByRole('status')).toContainText('accepts');
});

test('a cluster of three loses its leader, and no acknowledged message', async ({ page }) => {
  await page.getByRole('link', { name: /5 Fatal Traps/ }).click();
  await page.getByText(/^All proofs/).click();
  await page.getByRole('button', { name: /^Taking down a stream's leader/ }).click();
  await page.getByRole('button', { name: 'Prove', exact: true }).click();
  await expect(page.locator('.said[data-held]')).toHaveAttribute('data-held', 'true', ran);
  await expect(answer(page)).toContainText(/3 nodes of nats-server 2\.\d+\.\d+ in this tab/);
  await answer(page).getByText('three replicas, and what was not acknowledged is sent again: all of it is there, once').last().click();
  await expect(answer(page).getByRole('listitem').filter({ hasText: 'kill leader R' }).last()).toContainText(/n[123]: the server is shut down/);
  await expect(answer(page).getByRole('listitem').filter({ hasText: 'expect R.messages == 400' }).last()).toContainText('400 == 400');
});

test('a stream as JSON is dropped, repaired until the server takes it, and proved', async ({ page }) => {
  const stream = { name: 'INVOICES', subjects: ['invoices.>.paid'], storage: 'file', num_replicas: 1, max_age: 3_600_000_000_000, duplicate_window: 7_200_000_000_000 };
  await drop(page, 'invoices.json', JSON.stringify(stream, null, 2));
  const says = findings(page).getByRole('status');
  await expect(says).toContainText('refuses');
  await expect(findings(page)).toContainText('duplicates window can not be larger');
  await findings(page).getByRole('button', { name: 'Fix: Write duplicate_window: 1h' }).click();
  // The server names one fault at a time: the next is seen when the first is gone.
  await expect(findings(page)).toContainText('SUB001');
  await findings(page).getByRole('button', { name: /^Fix: .*invoices\.\*\.paid/ }).first().click();
  await expect(says).toContainText('accepts 1 stream');
  await expect(editor(page)).toContainText('"invoices.*.paid"');
  await prove(page);
  await expect(proof(page).getByRole('status').first()).toContainText(/^(\d+) claims, \1 held/);
});

test('a link opens the same design in a second profile, and is proved there', async ({ page, browser }) => {
  await page.getByRole('link', { name: /^jobs/ }).click();
  await expect(findings(page).getByRole('status')).toContainText('accepts');
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('# größer als vorher: <b>&</b>\n');
  await page.getByRole('button', { name: 'Share link' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto(link);
  await expect(findings(second).getByRole('status')).toContainText('accepts');
  await expect(editor(second)).toContainText('# größer als vorher: <b>&</b>');
  // Files, active file and target are in the address: the same design has the same.
  await expect(second).toHaveURL(link);
  await prove(second);
  await other.close();
});
