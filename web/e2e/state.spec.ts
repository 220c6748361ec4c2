import { expect, list, open, paste, test } from './fixtures';

test('the start page names NATS and JetStream, and every door opens', async ({ page }) => {
  await open(page, '');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('NATS and JetStream');
  const doors = page.locator('.doors a');
  await expect(doors.first()).toContainText('Subject Matcher Verification Matrix');
  for (let i = 0; i < (await doors.count()); i++) {
    await doors.nth(i).click();
    await expect(doors).toHaveCount(0);
    await expect(page.locator('main')).not.toBeEmpty();
    await page.goBack();
    await expect(doors.first()).toBeVisible();
  }
});

test('a shared link opens the same lab in another browser', async ({ page, browser }) => {
  await open(page);
  await list(page, 'Patterns').fill('größe.*\norders.>');
  await list(page, 'Subjects').fill('größe.ß\norders..x');
  await page.getByRole('link', { name: 'Partition' }).first().click();
  await page.getByLabel('Prefix').fill('shared-');
  await page.getByRole('button', { name: 'Share link' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#\/subjects\/partition\?s=[\w-]+$/);
  const other = await browser.newContext();
  const there = await other.newPage();
  await there.goto(link);
  await expect(there.getByLabel('Prefix')).toHaveValue('shared-');
  await there.getByRole('link', { name: 'Match' }).first().click();
  await expect(list(there, 'Patterns')).toHaveValue('größe.*\norders.>');
  await expect(there.locator('footer')).toContainText('2 subjects');
  await other.close();
});

test('the untouched example has a short address and can be shared all the same', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Share link' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('#/subjects');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('?s=');
});

test('reload keeps the lab, with the address and without', async ({ page }) => {
  await open(page);
  await list(page, 'Patterns').fill('kept.*');
  await expect.poll(() => page.url()).toContain('?s=');
  await page.reload();
  await expect(list(page, 'Patterns')).toHaveValue('kept.*');
  await page.goto('about:blank');
  await open(page, '#/subjects');
  await expect(list(page, 'Patterns')).toHaveValue('kept.*');
});

for (const { name, hash } of [
  { name: 'not base64', hash: '#/subjects?s=%C3%A4%C3%B6' },
  { name: 'cut', hash: '#/subjects?s=dVLbUsIwEP0VJ74g' },
  { name: 'another page', hash: '#/labs/nowhere' },
]) {
  test(`a wrong address is cleared and said: ${name}`, async ({ page }) => {
    await open(page, hash);
    await expect(page.getByRole('status').filter({ hasText: /The link holds no lab|There is no page/ })).toBeVisible();
    expect(page.url()).not.toContain(hash);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText(/The link holds no lab|There is no page/)).toHaveCount(0);
  });
}

test('a pasted address is an edit that can be undone', async ({ page }) => {
  await open(page);
  await list(page, 'Patterns').fill('one.*');
  await expect.poll(() => page.url()).toContain('?s=');
  const one = page.url();
  await list(page, 'Patterns').fill('two.*');
  await expect.poll(() => page.url()).not.toBe(one);
  await page.evaluate((url) => (location.href = url), one);
  await expect(list(page, 'Patterns')).toHaveValue('one.*');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list(page, 'Patterns')).toHaveValue('two.*');
});

test('theme: the system\'s, then a choice that stays', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page);
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Alt+d');
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.reload();
  await expect(root).toHaveAttribute('data-theme', 'light');
  await page.getByRole('button', { name: /^Theme/ }).click();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(root).toHaveAttribute('data-theme', 'light');
});

test('palette and keys', async ({ page }) => {
  await open(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('reserved');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overlaps and reserved spaces');
  await page.keyboard.press('Alt+4');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Subject transforms');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Ctrl K');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a host without the engine is said, not waited for', async ({ page }) => {
  await page.route(/engine\.wasm/, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>start page</p>' }));
  await page.goto('./#/subjects');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('the host has no engine');
  await page.unroute(/engine\.wasm/);
  await alert.getByRole('button', { name: 'Load again' }).click();
  await expect(page.locator('footer')).toContainText('56 cells');
});

test('a lab too long for a link says so, and survives a reload all the same', async ({ page }) => {
  await open(page);
  let seed = 1;
  const word = () => ((seed = (seed * 48271) % 2147483647) * 7919).toString(36);
  await paste(page, 'Subjects', Array.from({ length: 6000 }, () => `orders.${word()}.${word()}`).join('\n') + '\n');
  await expect(page.locator('footer')).toContainText('6,014 subjects');
  await expect(page.locator('footer')).toContainText('too long for a link');
  expect(new URL(page.url()).hash).toBe('#/subjects');
  await page.getByRole('button', { name: 'Share link' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'too long for a link: browsers' })).toBeVisible();
  await page.reload();
  await expect(page.locator('footer')).toContainText('6,014 subjects');
});

test('two tabs with labs too long for a link keep one each', async ({ page, context }) => {
  let seed = 7;
  const word = () => ((seed = (seed * 48271) % 2147483647) * 7919).toString(36);
  const long = (n: number) => Array.from({ length: n }, () => `orders.${word()}.${word()}`).join('\n') + '\n';
  await open(page);
  await paste(page, 'Subjects', long(6000));
  await expect(page.locator('footer')).toContainText('too long for a link');
  const other = await context.newPage();
  await open(other);
  await expect(other.locator('footer')).toContainText('6,014 subjects');
  await other.getByRole('button', { name: 'Clear both' }).click();
  await paste(other, 'Subjects', long(5000));
  await expect(other.locator('footer')).toContainText('5,000 subjects');
  await expect(other.locator('footer')).toContainText('too long for a link');
  await page.reload();
  await expect(page.locator('footer')).toContainText('6,014 subjects');
});

test('a first visit asks for the engine before the studio is there, once, and judges only what the address names', async ({ page }) => {
  await page.addInitScript(() => {
    const said: { method: string; req: { files?: { text: string }[] } }[] = [];
    Object.assign(globalThis, { said });
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, message: (typeof said)[number] & { kind?: string }, ...rest: []) {
      if (message.kind === 'call') said.push(message);
      if (message.kind === 'start') performance.mark('engine begun');
      return post.call(this, message, ...rest);
    };
    new MutationObserver(() => document.querySelector('header') && performance.mark('studio shown')).observe(document, { subtree: true, childList: true });
  });
  await page.goto('./#/design?preset=five-traps&panel=findings');
  await expect(page.locator('[data-findings] [data-row]').first()).toBeVisible();
  const first = (name: string) => page.evaluate((mark) => performance.getEntriesByName(mark)[0]!.startTime, name);
  expect(await first('engine begun')).toBeLessThan(await first('studio shown'));
  const judged = await page.evaluate(() => (globalThis as unknown as { said: { method: string; req: { files: { text: string }[] } }[] }).said.filter(({ method }) => method === 'design.check').map(({ req }) => req.files[0]!.text.slice(0, 200)));
  expect(judged).toHaveLength(1);
  expect(judged[0]).toContain('Five traps');
  // What the page does not need yet is kept for the next visit once the engine has nothing to do.
  await expect(page.locator('footer')).toContainText('works offline');
  const kept = await page.evaluate(async () => (await (await caches.open('weir-engine')).keys()).map((one) => new URL(one.url).pathname.split('/').pop()));
  expect(kept).toEqual(['engine.wasm']);
});
