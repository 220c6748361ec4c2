import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { staticURL, studioURL } from './hosts';
import { expect, test } from './fixtures';

for (const { name, url } of [
  { name: 'weir studio', url: studioURL },
  { name: 'a static host that holds the engine only as .gz', url: staticURL },
]) {
  test(`works without a network after the first load: ${name}`, async ({ page, context }) => {
    const broken: string[] = [];
    page.on('console', (message) => /Content Security Policy/i.test(message.text()) && broken.push(message.text()));
    await page.goto(url + '#/subjects');
    await expect(page.locator('footer')).toContainText('engine ready');
    await expect(page.locator('footer')).toContainText('works offline');
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Subject Matcher Verification Matrix');
    await expect(page.locator('footer')).toContainText('56 cells');
    await page.getByLabel('Add a pattern').fill('offline.>');
    await page.keyboard.press('Enter');
    await expect(page.locator('footer')).toContainText('5 patterns');
    await context.setOffline(false);
    expect(broken).toEqual([]);
  });
}

test('asks no other host', async ({ page }) => {
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(studioURL + '#/subjects');
  await expect(page.locator('footer')).toContainText('engine ready');
  expect([...hosts]).toEqual([new URL(studioURL).host]);
});

test('a newer version waits until it is asked for', async ({ page }) => {
  await page.goto(staticURL + '#/subjects');
  await expect(page.locator('footer')).toContainText('works offline');
  const before = await readFile('exported/sw.js');
  try {
    await appendFile('exported/sw.js', '\n// the next version\n');
    await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
    await expect(page.locator('footer')).toContainText('a newer Weir is ready');
    await page.getByLabel('Add a pattern').fill('kept.while.updating');
    await page.keyboard.press('Enter');
    await expect(page.locator('footer')).toContainText('5 patterns');
    await expect.poll(() => page.url()).toContain('?s=');
    await page.getByRole('button', { name: 'a newer Weir is ready' }).click();
    await expect(page.locator('footer')).not.toContainText('a newer Weir is ready');
    await expect(page.locator('footer')).toContainText('5 patterns');
  } finally {
    await writeFile('exported/sw.js', before);
  }
});
