// One product: the report opens anywhere, and nothing leaves the browser.
import { readFileSync } from 'node:fs';
import { axeFaults, expect, open, test } from './fixtures';
import { studioURL } from './hosts';

test('the report is one file that opens offline, without a script or a request', async ({ page, browser }) => {
  test.setTimeout(180_000);
  await open(page, '#/design?preset=audit');
  await expect(page.locator('[data-findings] .verdict h3')).toContainText('accepts');
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 100_000 }), page.getByRole('button', { name: 'Report' }).click()]);
  expect(download.suggestedFilename()).toBe('audit-report.html');
  const file = await download.path();
  const html = readFileSync(file, 'utf8');
  expect(html).not.toContain('<script');
  const path = test.info().outputPath('audit-report.html');
  await download.saveAs(path);
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ offline: true, colorScheme, bypassCSP: true });
    const reader = await context.newPage();
    const faults: string[] = [];
    const asked: string[] = [];
    reader.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    reader.on('request', (request) => asked.push(request.url()));
    await reader.goto(`file://${path}`);
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText('audit');
    for (const part of ['Findings', 'Subjects', 'Sizing', 'Backpressure', 'Advice', 'Configuration', 'Design', 'How the numbers are computed']) await expect(reader.getByRole('heading', { level: 2, name: part, exact: true })).toBeVisible();
    expect(await axeFaults(reader), colorScheme).toEqual([]);
    expect(await reader.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(asked).toEqual([`file://${path}`]);
    expect(faults).toEqual([]);
    await context.close();
  }
});

test('nothing leaves the browser: the studio asks its own host for its own files, and goes on without a network', async ({ page, context }) => {
  test.setTimeout(180_000);
  const asked: { method: string; url: string; body: string | null }[] = [];
  context.on('request', (request) => asked.push({ method: request.method(), url: request.url(), body: request.postData() }));
  await open(page, '#/');
  const live = page.getByRole('region', { name: 'One trap, live' });
  await live.getByRole('button', { name: 'Prove' }).click();
  await expect(live).toContainText(/mechanism ran on/, { timeout: 60_000 });
  await page.getByRole('link', { name: /A complete design/ }).click();
  await page.getByRole('textbox', { name: 'called' }).fill('secretname');
  await expect(page.getByLabel('The design file')).toContainText('SECRETNAME');
  await page.getByRole('button', { name: 'Open in the studio' }).click();
  await expect(page.locator('[data-findings] .verdict h3')).toContainText('accepts');
  for (const request of asked) {
    expect(request.method, request.url).toBe('GET');
    expect(request.body, request.url).toBeNull();
    const url = new URL(request.url);
    if (url.protocol === 'blob:' || url.protocol === 'data:') continue;
    expect(url.origin, request.url).toBe(new URL(studioURL).origin);
    expect(url.pathname, request.url).toMatch(/^\/([\w.-]+\.(wasm|js|css|json|svg|webmanifest|html)|assets\/[\w.-]+|projects\/client_\w+\.txtar|)$/);
    expect(request.url.toLowerCase()).not.toContain('secretname');
  }
  expect(asked.length).toBeGreaterThan(5);

  // The network is gone; everything but a first visit goes on.
  await expect(page.locator('footer')).toContainText('works offline');
  await context.setOffline(true);
  await page.getByRole('tab', { name: /^Sizing/ }).click();
  await expect(page.getByRole('region', { name: 'Sizing' }).locator('.verdict h3')).toContainText(/Fits/);
  await page.goto('./#/labs/stream');
  await expect(page.getByRole('region', { name: 'Answer' }).getByRole('heading', { level: 2 })).not.toBeEmpty();
  await page.goto('./#/labs/questions');
  await expect(page.getByLabel('The design file')).toContainText('ORDERS:');
  await context.setOffline(false);
});
