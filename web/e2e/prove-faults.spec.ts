// What can go wrong with a proof in the tab is said where the proof is, leaves
// nothing behind in the server, and the next proof runs.
import { expect, open, test } from './fixtures';
import type { Page } from '@playwright/test';

// A service worker would fetch in the page's place what these tests change.
test.use({ serviceWorkers: 'block' });

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' });
const verdict = (page: Page) => answer(page).locator('.said');

/** Opens a script of its own, which runs at once. */
const runs = (page: Page, ...lines: string[]) => open(page, '#/labs/traps?trap=discard-new&script=' + encodeURIComponent(lines.join('\n')));

/** The next proof holds. */
async function goesOn(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#/labs/traps?trap=discard-new'));
  await expect(page.locator('[data-held]')).toHaveAttribute('data-held', 'true', { timeout: 90_000 });
}

test('settings that nats-server refuses are said in its words, with their place', async ({ page }) => {
  await runs(page, 'server write_deadline=soon', 'stream S subjects=s.*');
  await expect(verdict(page)).toHaveText('1:23: error parsing write_deadline: time: invalid duration "soon"', { timeout: 60_000 });
  await goesOn(page);
});

test('a store that is full answers 10023, and the step says so', async ({ page }) => {
  await runs(page, 'server max_file_store=4MiB', 'stream S subjects=s.*', 'publish s.a n=8 size=1000KiB');
  await expect(verdict(page)).toHaveText(/the server did something else in 1 step\.$/, { timeout: 60_000 });
  await expect(answer(page).getByText(/10023/).first()).toBeVisible();
  await goesOn(page);
});

test('files that the tab has no room for end the run', async ({ page }) => {
  let changed = 0;
  await page.route(/assets\/worker-.*\.js$/, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(/\b(1<<30|1073741824|2\*\*30)\b/g, () => (changed++, '8388608'));
    await route.fulfill({ response, body: text });
  });
  await runs(page, 'stream S subjects=s.*', 'publish s.a n=40 size=1000KiB');
  await expect(verdict(page)).toHaveText(/^Not finished, ended early after 2 steps: this tab has no more room for the files of the servers/, { timeout: 60_000 });
  expect(changed).toBe(1);
  await goesOn(page);
});

test('what does not come in time is not held, with what came in its place', async ({ page }) => {
  await runs(page, 'harm "it never comes"', 'stream S subjects=s.*', 'until S.messages == 1 within 300ms');
  await expect(verdict(page)).toHaveText(/the server did something else in 1 step\.$/, { timeout: 60_000 });
  await expect(answer(page).getByText('expected: so within 300ms')).toBeVisible();
  await expect(answer(page).getByText('0 == 1', { exact: true })).toBeVisible();
  await goesOn(page);
});

test('two proofs at once: the second is told what runs', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/design?preset=jobs&panel=proof');
  const panel = page.getByRole('region', { name: 'Proof' });
  await panel.getByLabel('for').selectOption('5 min');
  await panel.getByRole('button', { name: 'Prove', exact: true }).click();
  await expect(panel.getByRole('button', { name: 'Finish' })).toBeVisible({ timeout: 90_000 });
  await page.evaluate(() => (location.hash = '#/subjects'));
  await page.getByRole('button', { name: 'Prove in this tab' }).click();
  await expect(page.getByText(/^the design \S+ is being run; cancel it or wait for its end$/)).toBeVisible();
  await page.evaluate(() => (location.hash = '#/design?preset=jobs&panel=proof'));
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await expect(panel.getByText(/^Not finished, ended early after \d+ steps: it was cancelled\.$/)).toBeVisible({ timeout: 60_000 });
  await goesOn(page);
});

test('a design that the tab has no memory for ends its server, and the next proof starts another', async ({ page }) => {
  test.setTimeout(180_000);
  await page.route(/\/server\.wasm(\?|$)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ body: withLessMemory(await response.body(), 160), contentType: 'application/wasm' });
  }, { times: 1 }); // what it keeps for later visits is the program as it is
  await runs(page, 'server max_memory_store=4GiB', 'stream S subjects=s.* storage=memory', 'publish s.a n=1000 size=1000KiB');
  await expect(verdict(page)).toHaveText(/^this tab has no memory left for nats-server: prove with less at once, or close other tabs \(runtime: out of memory/, { timeout: 120_000 });
  await expect(page.getByText('The server has ended, and the next proof starts it anew.')).toBeVisible();
  await expect(page.locator('[data-server]')).toHaveAttribute('data-server', 'failed');
  await goesOn(page);
});

/** A program whose memory can grow to so many MiB only: section 5 of a module has one memory with its limits, in pages of 64 KiB. */
function withLessMemory(wasm: Buffer, mebibytes: number): Buffer {
  let at = 8;
  const number = (): number => {
    for (let [value, shift] = [0, 0]; ; shift += 7) {
      const byte = wasm[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...bytes(value >>> 7)]);
  while (at < wasm.length) {
    const from = at;
    const id = wasm[at++]!;
    const size = number();
    if (id !== 5) {
      at += size;
      continue;
    }
    const end = at + size;
    expect([wasm[at++], wasm[at++]], 'one memory without a maximum').toEqual([1, 0]);
    const limits = [1, 1, ...bytes(number()), ...bytes(mebibytes * 16)];
    return Buffer.concat([wasm.subarray(0, from), Buffer.from([5, ...bytes(limits.length), ...limits]), wasm.subarray(end)]);
  }
  throw new Error('the program has no memory');
}
