import { axeFaults, expect, open, test } from './fixtures';

const pages = ['#/', '#/subjects', '#/subjects/relate', '#/subjects/explain', '#/subjects/transform', '#/subjects/partition'];

for (const theme of ['light', 'dark'] as const) {
  for (const [device, width, height] of [['desk', 1440, 900], ['phone', 390, 844]] as const) {
    test(`axe finds nothing: ${theme}, ${device}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      for (const hash of pages) {
        await open(page, hash);
        expect(await axeFaults(page), hash).toEqual([]);
      }
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await axeFaults(page), 'palette').toEqual([]);
    });
  }
}

test('Tab reaches everything in the order of the eye, and the focus is always seen', async ({ page }) => {
  await open(page);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const walked: string[] = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const node = document.activeElement as HTMLElement;
      if (node === document.body) return null;
      // A field inside a box draws its ring on the box.
      const seen = [node, node.closest<HTMLElement>('.fieldbox')].some((one) => one !== null && getComputedStyle(one).outlineStyle !== 'none');
      return { name: node.getAttribute('aria-label') ?? node.innerText.trim().replace(/\s*Ctrl K$/, '').slice(0, 40) ?? '', seen };
    });
    if (at === null) break;
    walked.push(at.name);
    expect(at.seen, `the focus on ${at.name} is seen`).toBe(true);
  }
  const order = ['Weir, start page', 'Labs', 'Go to', 'Share link', 'Patterns, one pattern a line', 'Subjects, one subject a line', 'Match', 'Partition', 'Add a pattern', 'Add a subject to test', 'no match', 'Explain in every context'];
  expect(order.map((name) => walked.indexOf(name))).toEqual(order.map((name) => walked.indexOf(name)).toSorted((a, b) => a - b));
  expect(order.filter((name) => !walked.includes(name))).toEqual([]);
});

test('the verdict is announced', async ({ page }) => {
  await open(page);
  await expect(page.locator('.verdict [aria-live=polite]')).toContainText('not valid');
});

test('nothing is cut or hidden sideways on the phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const hash of pages) {
    await open(page, hash);
    const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll('main, main *')].filter((node) => node.matches('main, .panel, .body, .main, .hero, .try, form')).map((node) => node.scrollWidth)));
    expect(wide, hash).toBeLessThanOrEqual(390);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a[href], select, input:not([type=checkbox], [type=file]), [role=gridcell][aria-label]')]
        .filter((node) => node.offsetParent !== null && (node.closest('.fieldbox') ?? node).getBoundingClientRect().height < 39 && node.closest('footer') === null)
        .map((node) => node.outerHTML.slice(0, 80)),
    );
    expect(small, `${hash}: smaller than a finger`).toEqual([]);
  }
});

test('the phone edits the lists and goes round by its tabs', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.getByRole('button', { name: 'Edit lists' }).click();
  await page.getByRole('textbox', { name: /^Patterns/ }).fill('phone.*');
  await page.getByRole('button', { name: 'Show result' }).click();
  await expect(page.getByRole('columnheader', { name: /phone/ })).toBeVisible();
  for (const tab of ['Relate', 'Explain', 'Transform', 'Partition', 'Match']) {
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: tab }).click();
    await expect(page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page');
  }
});

test('nothing is animated for who asks for that, the caret of the editor included', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page, '#/design?preset=jobs');
  await page.locator('.cm-content').click();
  await page.keyboard.type('# ');
  await expect(page.locator('.cm-cursor').first()).toBeVisible();
  const moving = () => page.evaluate(() => document.getAnimations().filter(({ playState, effect }) => playState === 'running' && Number(effect?.getComputedTiming().duration) > 1).length);
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(moving).toBeGreaterThan(0);
});
