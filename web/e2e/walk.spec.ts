// Every page, lab, showdown and panel, from the studio's own lists: nothing is
// cut, nothing is wider than the window, nothing moves while it loads, and nothing
// has a seal before a server ran.
import type { Page } from '@playwright/test';
import { pagesOf } from '../src/pages/list';
import { expect, open, test } from './fixtures';

const pages = ['#/', ...['', '/relate', '/explain', '/transform', '/partition'].map((panel) => `#/subjects${panel}`), '#/rules?code=CON001']
  .concat((['showdowns', 'labs', 'top'] as const).flatMap((group) => pagesOf(group).map((page) => page.href)).filter((href) => href !== '#/subjects'));
const presets = ['five-traps', 'orders'];

/** What is cut off or lies outside of the window. A list or text that scrolls is neither, and what a title says in full is not lost. */
function cut(): string[] {
  const faults: string[] = [];
  const named = (node: Element) => `${node.tagName.toLowerCase()}.${node.classList[0] ?? ''} "${(node as HTMLElement).innerText.slice(0, 40).replaceAll('\n', ' ')}"`;
  const whole = document.documentElement;
  if (whole.scrollWidth > innerWidth) faults.push(`the page is ${whole.scrollWidth} wide`);
  for (const node of document.querySelectorAll<HTMLElement>('body *')) {
    if (node.offsetParent === null || node.closest('.sr, .cm-editor, svg, [title]') !== null || node.textContent.trim() === '') continue;
    const style = getComputedStyle(node);
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    if (node.clientWidth > 1 && node.scrollWidth > node.clientWidth + 1 && (hides(style.overflowX) || style.textOverflow === 'ellipsis')) faults.push(`cut at the side: ${named(node)}`);
    if (node.clientHeight > 1 && node.scrollHeight > node.clientHeight + 1 && hides(style.overflowY)) faults.push(`cut below: ${named(node)}`);
    if (parseFloat(style.fontSize) < 11) faults.push(`smaller than 11 px: ${named(node)}`);
  }
  return [...new Set(faults)];
}

/** Waits until the page says the same for a while; what is simulated goes on elsewhere. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('main :is(h1, h2, h3)').first()).not.toBeEmpty();
  await expect(async () => {
    const text = await page.locator('main').innerText();
    await page.waitForTimeout(250);
    expect(await page.locator('main').innerText()).toBe(text);
  }).toPass({ timeout: 10_000 }).catch(() => {});
}

for (const [theme, width, height] of [['light', 1440, 900], ['dark', 1280, 800], ['light', 390, 844]] as const) {
  test(`every page and panel is whole at ${width} px, ${theme}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const panels = presets.flatMap((preset) => ['findings', 'subjects', 'sizing', 'backpressure', 'advise', 'proof', 'outputs'].map((panel) => `#/design?preset=${preset}&panel=${panel}`));
    await open(page, '#/');
    for (const hash of [...pages, ...panels]) {
      await page.evaluate((to) => (location.hash = to), hash);
      await settled(page);
      expect.soft(await page.evaluate(cut), hash).toEqual([]);
      if (!hash.includes('traps')) expect.soft(await page.locator('[data-held], .seal:not(.none)').count(), `${hash}: a seal without a run`).toBe(0);
    }
  });
}

/** Where places are kept for what comes from the engine: the first visit of each, because later all is there at once. */
const cold = ['#/', '#/claims', '#/rules?code=CON001', '#/showdowns/pull-push', '#/labs/questions', '#/labs/stream-json', '#/labs/client-code', '#/labs/stream', '#/labs/traps', '#/labs/backpressure', '#/subjects',
  '#/design?preset=orders&panel=findings', '#/design?preset=orders&panel=proof', '#/design?preset=orders&panel=sizing', '#/design?preset=orders&panel=backpressure', '#/design?preset=five-traps'];

for (const [width, height] of [[1440, 900], [390, 844]] as const) {
  test(`nothing moves while a page loads at ${width} px`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => {
      const moved: { by: number; what: string[] }[] = [];
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; sources: { node: Node | null }[] })[])
          moved.push({ by: entry.value, what: entry.sources.map(({ node }) => `${node?.nodeName} ${(node as Element | null)?.className ?? ''}`) });
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const hash of cold) {
      await page.goto('about:blank');
      await open(page, hash);
      await settled(page);
      const moved = await page.evaluate(() => (globalThis as unknown as { moved: { by: number; what: string[] }[] }).moved);
      const sum = moved.reduce((all, { by }) => all + by, 0);
      expect.soft(sum, `${hash}: ${JSON.stringify(moved.filter(({ by }) => by > 0.002))}`).toBeLessThan(0.02);
    }
  });
}
