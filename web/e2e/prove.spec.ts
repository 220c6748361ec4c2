// The real server in the tab: every proof has the outcome there that it has
// natively (prove/testdata/outcomes, which prove's own tests hold to), a design
// is proved, and what runs can be ended.
import { readdirSync, readFileSync } from 'node:fs';
import { axeFaults, expect, open, test } from './fixtures';
import type { Page } from '@playwright/test';

const outcomes = '../prove/testdata/outcomes';
const traps = readdirSync(outcomes).map((file) => file.replace(/\.json$/, ''));

interface Outcome { do: string; ok: boolean; err_code: number }
interface Evidence { weir: string; host: string; server: { version: string }; steps: { do: string; ok: boolean; reply?: { err_code?: number } }[]; cluster: { changes: { kind: string }[] } }

async function evidence(page: Page): Promise<Evidence> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download evidence' }).click();
  return JSON.parse(readFileSync(await (await download).path(), 'utf8')) as Evidence;
}
const said = (page: Page) => page.locator('[data-held]');

for (const trap of traps) {
  test(`in the tab as natively: ${trap}`, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page, `#/labs/traps?trap=${trap}`);
    await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 90_000 });
    const ran = await evidence(page);
    expect(ran.host).toBe('tab');
    const steps: Outcome[] = ran.steps.map((step) => ({ do: step.do, ok: step.ok, err_code: step.reply?.err_code ?? 0 }));
    expect(steps).toEqual(JSON.parse(readFileSync(`${outcomes}/${trap}.json`, 'utf8')));
  });
}

test('a lab that is left ends its run, and the next one waits for that', async ({ page }) => {
  test.setTimeout(150_000);
  await open(page, '#/labs/traps?trap=two-of-three-down');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible({ timeout: 60_000 });
  await page.evaluate(() => (location.hash = '#/labs/record'));
  await expect(page.getByRole('heading', { level: 1, name: 'One message' })).toBeVisible();
  await page.evaluate(() => (location.hash = '#/labs/traps?trap=retention-term'));
  await expect(page.getByText('This proof has no setting to vary')).toBeVisible();
  await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 90_000 });
});

test('a design is proved in the tab, and the log is read', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/design?preset=jobs');
  await page.getByRole('banner').getByRole('button', { name: 'Prove' }).click();
  const panel = page.getByRole('region', { name: 'Proof' });
  await expect(panel.getByText(/ran on \d/).first()).toBeVisible({ timeout: 90_000 });
  expect((await evidence(page)).steps.length).toBeGreaterThan(3);
  await panel.getByRole('button', { name: 'Log' }).click();
  const log = panel.getByLabel('Log of the servers');
  await expect(log).toContainText('run of the design');
  const lines = log.locator('p');
  const all = await lines.count();
  const counted = panel.getByRole('group', { name: 'Filter of the log' }).getByRole('status');
  await expect(counted).toHaveText(`${all} lines`);
  await panel.getByLabel('level').selectOption('run');
  await expect(lines).toHaveCount(1);
  await expect(counted).toHaveText(`1 of ${all} lines`);
  await panel.getByLabel('level').selectOption('all');
  await panel.getByLabel('node').selectOption('n1');
  await expect(log).not.toContainText('run of the design');
  await panel.getByLabel('Lines with this text').fill('SERVER IS READY');
  await expect(lines.filter({ hasNotText: 'Server is ready' })).toHaveCount(0);
  await expect(lines.first()).toContainText('n1');
  await panel.getByLabel('Lines with this text').fill('no server says this');
  await expect(log).toHaveText('No line is like that.');
});

test('a run is cancelled, and the server is ended and started anew', async ({ page }) => {
  test.setTimeout(120_000);
  await open(page, '#/labs/traps?trap=api-without-majority');
  await page.getByRole('button', { name: 'Cancel' }).click({ timeout: 60_000 });
  await expect(page.getByRole('main').getByText('it was cancelled').or(page.getByText('context canceled'))).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('main').getByText(/did not hold|not held|^expected:/)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Answer' }).getByRole('img', { name: 'error' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Prove', exact: true }).click();
  await page.getByRole('button', { name: 'End server' }).click();
  await expect(page.getByText('the server was ended, and what it stored is gone')).toBeVisible();
  await page.getByRole('button', { name: 'Prove', exact: true }).click();
  await expect(page.locator('[data-server]')).toHaveAttribute('data-server', 'ready', { timeout: 60_000 });
  await page.reload(); // the run ends with the page, and its link runs it anew
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible({ timeout: 60_000 });
});

test('an error in a script names its place', async ({ page }) => {
  await open(page, '#/labs/traps?trap=discard-new&script=' + encodeURIComponent('stream S subjects=s.*\nnonsense S'));
  await expect(page.getByText(/^2:1: "nonsense"/)).toBeVisible({ timeout: 60_000 });
});

test('a lab runs with the values of its link, and its timeline comes from the run', async ({ page }) => {
  await open(page, '#/labs/traps?lab=ack-wait&ack_wait=800ms&service=1100ms&workers=2');
  await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 60_000 });
  const harm = page.getByRole('figure', { name: /2 workers run the same message/ });
  await expect(harm.getByRole('listitem').filter({ hasText: /delivery 2 runs from/ })).toHaveCount(1);
  await page.getByRole('slider', { name: 'workers' }).fill('0');
  await expect(page).toHaveURL(/workers=1/);
  await page.getByRole('button', { name: /repeat after duplicate_window/ }).click();
  await page.getByRole('button', { name: 'Prove', exact: true }).click();
  await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 60_000 });
  await expect(page.getByRole('list', { name: 'publish' }).first()).toContainText('duplicate of seq 1');
});

test('leaving a lab ends its run, and another begins', async ({ page }) => {
  await open(page, '#/labs/traps?lab=max-deliver&max_deliver=5&ack_wait=1s');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible({ timeout: 60_000 });
  await page.evaluate(() => (location.hash = '#/subjects'));
  await page.getByRole('button', { name: 'Prove in this tab' }).click();
  await expect(page.locator('[data-matrix-proof]')).toHaveAttribute('data-matrix-proof', 'true', { timeout: 60_000 });
});

test('the matrix is proved in the tab', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Prove in this tab' }).click();
  await expect(page.locator('[data-matrix-proof]')).toHaveAttribute('data-matrix-proof', 'true', { timeout: 60_000 });
});

const cluster = `weir: 1
name: shop
server: {version: "2.15", nodes: 3}
streams:
  ORDERS: {subjects: [orders.*], num_replicas: 3, storage: memory, consumers: {billing: {ack_policy: explicit, workers: {count: 1, service_time: 10ms}}}}
  AUDIT: {subjects: [audit.>], num_replicas: 3, storage: memory, max_msgs: 0}
publishers:
  checkout: {subject: orders.created, rate: 2/s, payload: 200B, msg_id: uuid, mode: async}
scenarios: {node-loss: [{at: 5m, kill: node, for: 1m}]}
`;

/** Puts a text in the place of the design that is open. */
async function writeDesign(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

test('servers of a cluster are killed, started and stepped down while they run', async ({ page }) => {
  test.setTimeout(240_000);
  await open(page, '#/design?preset=jobs&panel=proof');
  await writeDesign(page, cluster);
  const panel = page.getByRole('region', { name: 'Proof' });
  await expect(panel.getByRole('button', { name: '3 nodes' })).toHaveAttribute('aria-pressed', 'true');
  await panel.getByLabel('scenario').selectOption('node-loss');
  await expect(panel.getByText('kill node for 1m, at 5m')).toBeVisible();
  await panel.getByLabel('scenario').selectOption('');
  await panel.getByLabel('for').selectOption('5 min');
  await panel.getByRole('button', { name: 'Prove', exact: true }).click();
  await panel.getByRole('button', { name: 'Kill leader of ORDERS' }).click({ timeout: 120_000 });
  const start = panel.getByRole('button', { name: /^Start n/ });
  await expect(start).toBeVisible({ timeout: 60_000 });
  await expect(panel.getByRole('img', { name: /: down/ })).toBeVisible();
  await start.click();
  await expect(start).toHaveCount(0, { timeout: 60_000 });
  await panel.getByRole('button', { name: 'Step down leader of ORDERS' }).click({ timeout: 60_000 });
  await expect(panel.getByText('asked to hand over', { exact: true })).toBeVisible({ timeout: 60_000 });
  await panel.getByRole('button', { name: 'Finish' }).click();
  await expect(panel.getByText(/3 nodes of nats-server/)).toBeVisible({ timeout: 120_000 });
  const seen = panel.getByRole('region', { name: 'What the servers did' });
  for (const fault of [/kill leader ORDERS/, /start node \d/, /step down ORDERS/]) await expect(seen.getByRole('list', { name: 'faults' })).toContainText(fault);
  await expect(panel.getByRole('row', { name: /streams\.AUDIT\.max_msgs 0 -1/ })).toBeVisible();
  await expect(panel.getByRole('row', { name: /workload: bytes of ORDERS/ })).toContainText('sizing', { timeout: 60_000 });
  const ran = await evidence(page);
  expect(ran.weir).toBe(await page.evaluate(() => /Weir ([^,]+),/.exec(document.querySelector('footer')!.textContent)![1]));
  expect(ran.cluster.changes.filter((change) => change.kind === 'down').length).toBeGreaterThan(0);
  expect(await axeFaults(page)).toEqual([]);
});

test('a link that is followed in the page opens a proof with its values and runs it', async ({ page }) => {
  await open(page, '#/labs/traps?lab=dedup&duplicate_window=500ms');
  await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 60_000 });
  await expect(page.getByRole('figure', { name: /its id is forgotten/ }).getByRole('list', { name: 'steps' })).toContainText('restart all');
  await page.evaluate(() => (location.hash = '#/labs/traps?trap=discard-new&max_msgs=10'));
  await expect(page.getByRole('slider', { name: 'max_msgs' })).toHaveAttribute('aria-valuetext', '10');
  await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 60_000 });
  expect((await evidence(page)).steps.map((step) => step.do)).toContain('expect S.messages == 10');
  await page.evaluate(() => (location.hash = '#/labs/traps?trap=discard-new&max_msgs=4'));
  await expect(page.getByText('"4" is not one of 1, 3, 10')).toBeVisible();
});

test('what a tab has no memory for is refused, and the page and the server go on', async ({ page }) => {
  test.setTimeout(180_000);
  const script = 'stream S subjects=s.* storage=memory\npublish s.a n=500 size=1000KiB';
  await open(page, '#/labs/traps?trap=discard-new&script=' + encodeURIComponent(script));
  await expect(page.getByText(/insufficient|resource/).first()).toBeVisible({ timeout: 150_000 });
  await page.getByRole('button', { name: 'Restart server' }).click();
  await page.evaluate(() => (location.hash = '#/labs/traps?trap=discard-new'));
  await expect(said(page)).toHaveAttribute('data-held', 'true', { timeout: 60_000 });
});
