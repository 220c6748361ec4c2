// Measures what docs/performance.md says of the studio; UPDATE=1 writes the page.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, cpus } from 'node:os';
import { expect, test, type Browser, type CDPSession, type Page } from '@playwright/test';

interface Row {
  what: string;
  figure: string;
  budget: string;
  how: string;
}
const rows: Row[] = [];
/** Times of a machine that does other work say nothing about the studio: they are not written. */
const atStart = loadavg()[0]!;
const busy = atStart > cpus().length;
const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} KB`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
const mib = (bytes: number) => `${(bytes / (1 << 20)).toFixed(1)} MiB`;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const verdict = (page: Page) => page.locator('[data-findings] .verdict h3');
const editor = (page: Page) => page.locator('.cm-content').first();

/** A page of a profile of its own: nothing is in its caches. */
async function fresh(browser: Browser): Promise<Page> {
  return (await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })).newPage();
}

async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+v');
}

/** 200 streams with 5 consumers each, 50 of them published to. */
function large(): string {
  const streams = Array.from({ length: 200 }, (_, i) => `  S${i}:\n    subjects: [s${i}.>]\n    max_age: 72h\n    consumers:\n` +
    Array.from({ length: 5 }, (_, c) => `      c${c}: {ack_policy: explicit, filter_subject: s${i}.a${c}.>, workers: {count: 2}}\n`).join('')).join('');
  return `weir: 1\nname: large\nstreams:\n${streams}publishers:\n${Array.from({ length: 50 }, (_, i) => `  p${i}: {subject: s${i}.x.y, rate: 10/s}\n`).join('')}`;
}

async function firstFindings(browser: Browser): Promise<void> {
  const took: number[] = [];
  let front = 0;
  for (let run = 0; run < 5; run++) {
    const page = await fresh(browser);
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const found = globalThis as unknown as { found?: number };
        if (document.querySelector('[data-findings] [data-row]')) found.found ??= performance.now();
      }).observe(document, { subtree: true, childList: true });
    });
    await page.goto('./#/design?preset=five-traps&panel=findings');
    await expect(page.locator('[data-findings] [data-row]').first()).toBeVisible();
    const [at, bytes] = await page.evaluate(() => {
      const at = (globalThis as unknown as { found: number }).found;
      const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')] as PerformanceResourceTiming[];
      return [at, entries.filter((entry) => entry.startTime < at && !entry.name.includes('.wasm')).reduce((sum, entry) => sum + entry.encodedBodySize, 0)] as const;
    });
    took.push(at);
    front = Math.max(front, bytes);
    await page.context().close();
  }
  rows.push({ what: 'first findings, cold', figure: timed(`${ms(median(took))}, at worst ${ms(Math.max(...took))}`), budget: '1,000 ms', how: 'from the start of the navigation to the first row of findings of the preset five-traps, served by `weir studio` on loopback, in a new profile; 5 times' });
  rows.push({ what: 'front end before the first findings', figure: kb(front), budget: '400 KB', how: 'brotli, as transferred; all that is no WebAssembly' });
}

function programs(): void {
  for (const [program, budget] of [['engine.wasm', '3.25 MB'], ['server.wasm', '6.00 MB']] as const) {
    rows.push({ what: program, figure: mb(statSync(`../internal/studio/dist/${program}.br`).size), budget, how: program === 'engine.wasm' ? 'brotli; all that computes' : 'brotli; the real nats-server, loaded with the first proof' });
  }
}

/** The durations that the browser itself gives events, from input to the next frame. */
async function interactions(page: Page): Promise<void> {
  await page.goto('./#/design?preset=five-traps&panel=findings');
  await expect(verdict(page)).toContainText('refuses');
  await page.evaluate(() => {
    // One interaction is several events; its length is that of its longest.
    const seen: Record<number, number> = ((globalThis as unknown as { seen: Record<number, number> }).seen = {});
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[]) if (entry.interactionId > 0) seen[entry.interactionId] = Math.max(seen[entry.interactionId] ?? 0, entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  let count = 0;
  for (const row of await page.locator('[data-findings] [data-row]').all()) {
    await row.click();
    count++;
  }
  for (const name of ['Subjects', 'Sizing', 'Advise', 'Outputs', 'Backpressure', 'Findings']) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await expect(page.locator('[data-dock] .verdict h3').first()).not.toBeEmpty();
    await page.waitForTimeout(500);
    count++;
  }
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('End');
  const typed = ' # typed while everything is judged';
  await page.keyboard.type(typed, { delay: 60 });
  count += typed.length;
  await page.getByRole('tab', { name: /^Sizing/ }).click();
  await page.getByRole('slider').first().focus();
  for (let i = 0; i < 10; i++) {
    await page.keyboard.press(i % 2 ? 'ArrowLeft' : 'ArrowRight');
    await page.waitForTimeout(150);
    count++;
  }
  const seen = Object.values(await page.evaluate(() => (globalThis as unknown as { seen: Record<number, number> }).seen));
  const slow = seen.filter((duration) => duration > 100).length;
  rows.push({ what: 'interaction to next frame', figure: timed(`at worst ${ms(Math.max(16, ...seen))}; ${slow} of ${count} over 100 ms`), budget: '100 ms', how: 'Event Timing of Chromium: findings chosen, panels changed, a line typed, a slider moved' });
}

/** How long the last check took in ms, as the foot of the page says it. */
async function checkedIn(page: Page): Promise<number> {
  await expect(page.locator('footer')).not.toContainText('before this edit');
  return Number(/checked in ([\d,]+) ms/.exec((await page.locator('footer').textContent()) ?? '')![1]!.replaceAll(',', ''));
}

/** The first versions chosen after the page was loaded, when the browser has optimised the least: at once, and after a look at the findings. */
async function switching(browser: Browser): Promise<void> {
  for (const [what, look] of [['at once', 0], ['after 5 s', 5000]] as const) {
    const page = await fresh(browser);
    await page.goto('./#/design?preset=orders&panel=findings');
    await expect(verdict(page)).toContainText('accepts');
    await page.waitForTimeout(look);
    await paste(page, large());
    await expect(verdict(page)).toContainText(/accepts 200 streams/, { timeout: 60_000 });
    await page.waitForTimeout(look);
    const version = page.locator('select').filter({ hasText: '2.12' }).first();
    const versions = await version.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    const took: number[] = [];
    for (const at of [3, 5, 2]) {
      await version.selectOption(versions[at]!);
      took.push(await checkedIn(page));
    }
    rows.push({ what: `200 streams, other versions ${what}`, figure: timed(`${ms(took[0]!)}, at worst ${ms(Math.max(...took))}`), budget: '250 ms', how: 'the same design pasted into a page just loaded, the first version chosen and the worst of the first three' });
    await page.context().close();
  }
}

async function rejudging(page: Page): Promise<void> {
  await page.goto('./#/design?preset=orders&panel=findings');
  await expect(verdict(page)).toContainText('accepts');
  await paste(page, large());
  await expect(verdict(page)).toContainText(/accepts 200 streams/, { timeout: 60_000 });
  const took: number[] = [];
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('End');
  for (let i = 0; i < 10; i++) {
    await page.keyboard.type(i === 0 ? ' # a' : 'a');
    await expect(page.locator('footer')).toContainText('before this edit').catch(() => {});
    took.push(await checkedIn(page));
  }
  rows.push({ what: '200 streams judged again', figure: timed(`${ms(median(took))}, at worst ${ms(Math.max(...took))}`), budget: '250 ms', how: '200 streams, 1,000 consumers and 50 publishers, from the edit to its findings; 10 edits' });
}

async function panning(page: Page): Promise<void> {
  const frames = await page.locator('[data-canvas] .view').evaluate(async (view) => {
    const gaps: number[] = [];
    let last = performance.now();
    for (let i = 0; i < 180; i++) {
      view.scrollTop += i < 90 ? 40 : -40;
      const now = await new Promise<number>((next) => requestAnimationFrame(next));
      gaps.push(now - last);
      last = now;
    }
    return gaps.slice(5);
  });
  rows.push({ what: 'canvas of 200 streams, moved', figure: timed(`a frame in ${ms(median(frames))}, at worst ${ms(Math.max(...frames))}`), budget: '33 ms', how: '180 frames of scrolling, drawn without a graphics card' });
}

async function server(browser: Browser): Promise<void> {
  const page = await fresh(browser);
  await page.goto('./#/design?preset=jobs&panel=findings');
  await expect(verdict(page)).toContainText('accepts');
  const ready = async () => {
    const from = Date.now();
    await page.getByRole('banner').getByRole('button', { name: 'Prove' }).click();
    await expect(page.locator('[data-server=ready]')).toBeVisible({ timeout: 60_000 });
    return Date.now() - from;
  };
  const first = await ready();
  await page.reload();
  await expect(verdict(page)).toContainText('accepts');
  const again = await ready();
  rows.push({ what: 'server ready', figure: timed(`${ms(first)}, when it is in the cache ${ms(again)}`), budget: 'none', how: 'from Prove to a nats-server that runs in the tab' });
  await page.context().close();
}

/** What the page itself holds after its garbage is collected, and the tab's process. */
async function held(browser: Browser, session: CDPSession): Promise<{ heap: number; nodes: number; process: number }> {
  for (let i = 0; i < 3; i++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
  const whole = await browser.newBrowserCDPSession();
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  const resident = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  const process = Math.max(...processInfo.filter((one) => one.type === 'renderer').map((one) => resident(one.id)));
  await whole.detach();
  return { heap: metric('JSHeapUsedSize'), nodes: metric('Nodes'), process };
}

async function longUse(browser: Browser): Promise<void> {
  const page = await fresh(browser);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  await page.goto('./#/design?preset=orders&panel=findings');
  await expect(verdict(page)).toContainText('accepts');
  const round = async () => {
    for (const name of ['Subjects', 'Sizing', 'Advise', 'Outputs', 'Findings']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      await expect(page.locator('[data-dock] .verdict h3').first()).not.toBeEmpty();
    }
    await editor(page).click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('End');
    await page.keyboard.type('x');
    await expect(page.locator('footer')).not.toContainText('before this edit');
    await page.keyboard.press('Backspace');
    await expect(page.locator('footer')).not.toContainText('before this edit');
  };
  const rounds = 150;
  for (let i = 0; i < rounds / 3; i++) await round(); // what is loaded and kept once is there
  const before = await held(browser, session);
  for (let i = 0; i < (2 * rounds) / 3; i++) await round();
  const after = await held(browser, session);
  const from = (key: 'heap' | 'process') => `${mib(before[key])} after ${(2 * rounds) / 3} edits, ${mib(after[key])} after ${2 * rounds}`;
  rows.push({ what: 'heap of the page', figure: from('heap'), budget: 'stable', how: `garbage collected; after every second edit five panels were opened; ${before.nodes.toLocaleString('en')} and ${after.nodes.toLocaleString('en')} nodes` });
  rows.push({ what: 'the tab\'s process', figure: from('process'), budget: 'stable', how: 'resident memory, the engine\'s included' });
  await page.context().close();
}

/** A figure in ms, where it can be one of the studio's. */
const timed = (figure: string) => (busy ? 'not measured: the machine was busy' : figure);

function written(version: string, browser: string): string {
  const table = rows.map((row) => `| ${row.what} | ${row.figure} | ${row.budget} | ${row.how} |`).join('\n');
  const files = readdirSync('../internal/studio/dist/assets').filter((name) => name.endsWith('.br')).length;
  const load = busy ? `busy with other work (load average ${atStart.toFixed(0)}), so that no times were written: run it on a free one` : `that did nothing else (load average ${atStart.toFixed(1)} before the run)`;
  return `# Performance of the studio

Measured by \`make performance\` with weir ${version} in Chromium ${browser}, drawn without a graphics card, on a machine of ${cpus().length} cores
${load}. Figures are of that machine; no test waits for a clock; the sizes are held by a test.

| what | measured | budget | how |
|---|---|---|---|
${table}

The front end is ${files} files; what a panel or a page needs is loaded when it is opened. WebAssembly of more than ten
megabytes is compiled while it arrives, and kept by the browser: a second visit needs no network.
`;
}

test('measure', async ({ page, browser }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await firstFindings(browser);
  programs();
  await interactions(page);
  await switching(browser);
  await rejudging(page);
  await panning(page);
  await server(browser);
  await longUse(browser);
  const version = (/Weir (\S+),/.exec((await page.locator('footer').textContent()) ?? '') ?? [])[1] ?? '';
  const text = written(version, browser.version());
  console.log(text);
  if (process.env.UPDATE) writeFileSync('../docs/performance.md', text);
});
