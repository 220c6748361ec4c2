import type { Page } from '@playwright/test';
import { axeFaults, expect, open, test } from './fixtures';

const editor = (page: Page) => page.locator('.cm-content');
const findings = (page: Page) => page.locator('[data-findings]');
const row = (page: Page, text: string | RegExp) => findings(page).locator('[data-row]', { hasText: text });
const verdict = (page: Page) => findings(page).locator('.verdict h3');
const line = (page: Page, n: number) => page.locator('.cm-line').nth(n - 1);

/** Opens the workbench with a preset and waits for what the engine says of it. */
async function openPreset(page: Page, name: string): Promise<void> {
  await open(page, `#/design?preset=${name}`);
  await expect(verdict(page)).toContainText(/accepts|refuses/);
  await expect(page).toHaveURL(/#\/design\?s=/);
}

/** Replaces the text of the open file by pasting, as a person would. */
async function pasteDesign(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+v');
}

async function drop(page: Page, files: { name: string; text?: string; size?: number }[], zone = 'replace'): Promise<void> {
  const transfer = await page.evaluateHandle((all) => {
    const out = new DataTransfer();
    for (const file of all) out.items.add(new File([file.text ?? new Uint8Array(file.size ?? 0)], file.name));
    return out;
  }, files);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
  const target = page.locator(`[data-drop=${zone}]`);
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await target.dispatchEvent('drop', { dataTransfer: transfer });
}

/** How many times longer the same work takes at its worst than at its best: on a machine that is busy with other things a task is long without being slow. */
async function slowdownOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const took: number[] = [];
    for (let i = 0; i < 40; i++) {
      const from = performance.now();
      for (let n = 0, x = 1; n < 4e6; n++) x = (x * 1103515245 + 12345) % 2147483648;
      took.push(performance.now() - from);
      await new Promise((go) => setTimeout(go, 10));
    }
    return Math.max(...took) / Math.min(...took);
  });
}

test('a design that is asked for while the page still loads is opened, not overwritten', async ({ page }) => {
  let arrive = () => {};
  const arrived = new Promise<void>((go) => (arrive = go));
  await page.route(/\/assets\/Workbench-[^/]*\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.clock.install();
  await open(page, '#/');
  await page.getByRole('link', { name: /five traps/ }).click();
  await page.clock.runFor(2000); // what the start page had is written down meanwhile
  arrive();
  await expect(verdict(page)).toHaveText('nats-server 2.12.15 refuses 1 of 4 consumers');
});

test('the five traps: the server refuses orders.>.paid, the place is marked, the fix ends it', async ({ page }) => {
  await open(page, '#/');
  await page.getByRole('link', { name: /five traps/ }).click();
  await expect(verdict(page)).toHaveText('nats-server 2.12.15 refuses 1 of 4 consumers');
  const finding = row(page, 'orders.>.paid');
  await expect(finding).toContainText('SUB001');
  await finding.click();
  await expect(page.locator('.cm-line.cm-chosen')).toHaveText(/filter_subject: orders\.>\.paid/);
  const detail = page.getByRole('complementary', { name: 'The chosen finding' });
  await expect(detail.locator('.server')).toHaveText('nats-server 2.12.15 answers 500/10052 invalid subject');
  await expect(detail.locator('.diff .a')).toHaveText('+ filter_subject: orders.*.paid');
  await expect(page.locator('.cm-lintRange-error')).toHaveText('orders.>.paid');
  await expect(page.locator('.cm-marks .sev.e')).toHaveCount(1);
  // The same thing is chosen on the canvas.
  const card = page.getByRole('button', { name: /^Consumer fraud/ });
  await expect(card).toHaveAttribute('aria-pressed', 'true');
  await expect(card).toContainText('refused: 500/10052');
  await detail.getByRole('button', { name: 'Write orders.*.paid', exact: true }).click();
  await expect(row(page, 'orders.>.paid')).toHaveCount(0);
  await expect(verdict(page)).toHaveText('nats-server 2.12.15 accepts 3 streams and 4 consumers');
  await expect(page.locator('.cm-lintRange-error')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'orders.>.paid')).toHaveCount(1);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(row(page, 'orders.>.paid')).toHaveCount(0);
});

test('every preset opens, and all but the five traps are quiet', async ({ page }) => {
  await openPreset(page, 'orders');
  await page.getByRole('button', { name: 'Presets' }).click();
  const names = await page.getByRole('menuitem').locator('.title').allTextContents();
  expect(names).toContain('five-traps');
  await page.keyboard.press('Escape');
  for (const name of names) {
    await page.getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('menuitem', { name }).first().click();
    await expect(page.getByRole('button', { name: `Design: ${name}` })).toBeVisible();
    await expect(verdict(page)).toContainText(name === 'five-traps' ? 'refuses' : 'accepts');
    await expect(page.locator('[data-canvas] .card.stream').first()).toBeVisible();
  }
});

test('canvas and panel fill the workbench, with the tour and without', async ({ page }) => {
  const edges = (selector: string) => page.locator(selector).evaluate((node) => { const { top, bottom } = node.getBoundingClientRect(); return { top: Math.round(top), bottom: Math.round(bottom) }; });
  for (const name of ['jobs', 'five-traps']) {
    await openPreset(page, name);
    await expect(page.getByRole('region', { name: 'Tour of the five traps' })).toHaveCount(name === 'jobs' ? 0 : 1);
    const whole = await edges('main');
    expect((await edges('[data-dock]')).bottom, name).toBe(whole.bottom);
    expect((await edges('[data-canvas]')).bottom, name).toBeGreaterThan(whole.top + 300);
    await page.getByRole('button', { name: 'panel', exact: true }).click();
    const alone = await edges('[data-dock]');
    expect(alone.bottom, name).toBe(whole.bottom);
    expect(alone.top, name).toBeLessThan(whole.top + 120);
    await page.getByRole('button', { name: 'split', exact: true }).click();
  }
});

test('F8 goes round the findings, Enter and Escape between list and editor', async ({ page }) => {
  await openPreset(page, 'orders');
  await pasteDesign(page, 'weir: 1\nname: three\nstreams:\n  A:\n    subjects: [a..b]\n  B:\n    subjects: [b]\n    max_age: 20\n  C:\n    subjects: [c.>.d]\n');
  await expect(page.locator('footer')).toContainText('3 errors');
  await page.keyboard.press('ControlOrMeta+Home');
  const chosen = page.locator('.cm-line.cm-chosen');
  for (const want of ['a..b', '20', 'c.>.d', 'a..b']) {
    await page.keyboard.press('F8');
    await expect(chosen).toContainText(want);
  }
  await page.keyboard.press('Shift+F8');
  await expect(chosen).toContainText('c.>.d');
  await expect(page.locator('footer')).toContainText('Ln 10');
  await page.keyboard.press('Control+j');
  await expect(page.locator('[data-row][aria-current=true]')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.locator('[data-row]').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-row]').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor(page)).toBeFocused();
});

test('Ctrl . offers the fixes of the line', async ({ page }) => {
  await openPreset(page, 'five-traps');
  await row(page, 'orders.>.paid').click();
  await page.keyboard.press('Control+e');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Control+.');
  await expect(page.getByRole('menuitem', { name: 'Write orders.*.paid' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 'orders.>.paid')).toHaveCount(0);
  await expect(editor(page)).toBeFocused();
});

test('completion and hover speak of the API', async ({ page }) => {
  await openPreset(page, 'orders');
  await pasteDesign(page, 'weir: 1\nname: x\nstreams:\n  A:\n    subjects: [a]\n    ');
  await page.keyboard.type('reten');
  const list = page.locator('.cm-tooltip-autocomplete');
  await expect(list.getByRole('option').first()).toContainText('retention');
  await page.waitForTimeout(150); // CodeMirror takes no Enter in a list's first 75 ms
  await page.keyboard.press('Enter');
  await expect(list.getByRole('option', { name: /workqueue/ })).toBeVisible();
  await page.keyboard.type('work');
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await expect(line(page, 6)).toHaveText('    retention: workqueue');
  await line(page, 6).getByText('retention').hover();
  const card = page.locator('.cm-field');
  await expect(card).toContainText('retention');
  await expect(card).toContainText('limits, interest, workqueue');
});

test('the target version is judged by at once', async ({ page }) => {
  await openPreset(page, 'orders');
  await pasteDesign(page, 'weir: 1\nname: x\nstreams:\n  A:\n    subjects: [a]\n    allow_msg_ttl: true\n');
  await expect(verdict(page)).toContainText('nats-server 2.15.2 accepts 1 stream');
  const target = page.getByRole('combobox', { name: 'Server version to judge by' });
  await target.selectOption('2.10.29');
  await expect(row(page, 'allow_msg_ttl')).toBeVisible();
  await target.selectOption('2.15.2');
  await expect(row(page, 'allow_msg_ttl')).toHaveCount(0);
  await expect(verdict(page)).toContainText('nats-server 2.15.2 accepts');
});

const orders = '{"name": "ORDERS", "subjects": ["orders.>"], "retention": "limits", "max_age": 0}';
const billing = '{"stream_name": "ORDERS", "config": {"durable_name": "billing", "ack_policy": "explicit", "filter_subject": "orders.>.paid"}}';

test('NATS JSON is dropped, opens as files, and is judged together', async ({ page }) => {
  await openPreset(page, 'orders');
  await drop(page, [{ name: 'ORDERS.json', text: orders }, { name: 'billing.json', text: billing }]);
  await expect(page.getByRole('tab', { name: 'ORDERS.json' })).toHaveAttribute('aria-selected', 'true');
  await expect(verdict(page)).toContainText('refuses 1 of 1 consumer');
  await row(page, 'orders.>.paid').click();
  await expect(page.getByRole('tab', { name: /billing.json/ })).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.cm-lintRange-error')).toContainText('orders.>.paid');
  // What was open comes back.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Design: orders' })).toBeVisible();
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(page.getByRole('tab', { name: 'ORDERS.json' })).toBeVisible();
});

test('files are added beside a design, and taken out', async ({ page }) => {
  await openPreset(page, 'jobs');
  await drop(page, [{ name: 'ORDERS.json', text: orders }], 'add');
  await expect(page.getByRole('tablist', { name: 'Files' }).getByRole('tab')).toHaveCount(2);
  await expect(page.getByRole('button', { name: /^Stream ORDERS/ })).toBeAttached();
  await page.getByRole('button', { name: 'Take ORDERS.json out' }).click();
  await expect(page.getByRole('tablist', { name: 'Files' }).getByRole('tab')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Stream ORDERS/ })).toHaveCount(0);
});

test('a file over 8 MiB is refused with the limit named', async ({ page }) => {
  await openPreset(page, 'jobs');
  await drop(page, [{ name: 'huge.json', size: 9 << 20 }]);
  await expect(page.getByText('huge.json is 9 MiB; a file may have 8 MiB')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Design: jobs' })).toBeVisible();
});

test('a text is pasted through the import dialog', async ({ page }) => {
  await open(page, '#/');
  await page.getByRole('button', { name: /Bring what you have/ }).click();
  await page.getByRole('textbox', { name: 'Paste a text' }).fill(orders);
  await page.getByRole('button', { name: 'Open as a design' }).click();
  await expect(page.locator('.bar .only')).toHaveText('pasted.json');
  await expect(verdict(page)).toContainText('accepts 1 stream');
  // Outside a field the keyboard's paste opens the same dialog, filled.
  await page.evaluate((value) => navigator.clipboard.writeText(value), billing);
  await findings(page).locator('.verdict').click();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(page.getByRole('textbox', { name: 'Paste a text' })).toHaveValue(billing);
  await page.getByRole('button', { name: /^Add to/ }).click();
  await expect(page.getByRole('tablist', { name: 'Files' }).getByRole('tab')).toHaveCount(2);
});

test('a damaged link is said, and what this tab had stays', async ({ page }) => {
  await openPreset(page, 'jobs');
  await page.goto('about:blank');
  await open(page, '#/design?s=dVLbUsIwEP0VJ74g');
  await expect(page.getByText(/The link holds no design that can be read/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Design: jobs' })).toBeVisible();
  await expect(page).not.toHaveURL(/dVLb/);
});

test('reload keeps the design, with the address and without', async ({ page }) => {
  await openPreset(page, 'jobs');
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('# kept\n');
  const before = page.url();
  await expect.poll(() => page.url()).not.toBe(before);
  await page.reload();
  await expect(line(page, 1)).toHaveText('# kept');
  await page.goto('about:blank');
  await open(page, '#/design');
  await expect(line(page, 1)).toHaveText('# kept');
  // Leaving the page and coming back keeps undo, too.
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.insertText('# more '); // one change, however slow the machine
  await page.getByRole('button', { name: 'Labs' }).click();
  await page.getByRole('menuitemradio', { name: 'Subject lab' }).click();
  await page.goBack();
  await expect(line(page, 1)).toHaveText('# more # kept');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(line(page, 1)).toHaveText('# kept');
});

test('format lays the file out, keeps comments, and is one step of undo', async ({ page }) => {
  await openPreset(page, 'orders');
  await pasteDesign(page, 'weir: 1\nname:    x   # why\nstreams:\n      A: {subjects: [a]}\n');
  await expect(verdict(page)).toContainText('accepts 1 stream');
  await page.getByRole('button', { name: 'Format' }).click();
  await expect(line(page, 2)).toHaveText('name: x # why');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(line(page, 2)).toHaveText('name:    x   # why');
});

test('a text that cannot be read leaves the last drawing and findings, and says so', async ({ page }) => {
  await openPreset(page, 'five-traps');
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('{[');
  await expect(verdict(page)).toContainText('cannot be read');
  await expect(page.getByText('The drawing is from before this edit')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Stream ORDERS limits/ })).toBeVisible();
  await expect(findings(page)).toContainText(/from \d\d:\d\d:\d\d, before this edit/);
  await expect(findings(page).locator('.before')).toContainText('orders.>.paid');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(verdict(page)).toContainText('refuses 1 of 4 consumers');
  await expect(findings(page).locator('.before')).toHaveCount(0);
});

test('the canvas goes by the keyboard and shows the place in the text', async ({ page }) => {
  await openPreset(page, 'orders');
  await page.locator('[data-canvas] [tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Subject /);
  await page.keyboard.press('ArrowRight');
  const stream = page.getByRole('button', { name: /^Stream ORDERS limits/ });
  await expect(stream).toBeFocused();
  await expect(page.locator('.cm-line.cm-chosen')).toContainText('ORDERS');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Consumer /);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(/^Workers /);
});

test('subjects of the design open in the lab', async ({ page }) => {
  await openPreset(page, 'five-traps');
  await page.getByRole('tab', { name: 'Subjects' }).click();
  await page.getByRole('button', { name: 'Subjects in the lab' }).click();
  await expect(page.getByRole('textbox', { name: /^Patterns/ })).toHaveValue(/orders\.>\n/);
  await expect(page.getByRole('textbox', { name: /^Subjects/ })).toHaveValue(/orders\.\*\.\*/);
});

test('a design of 200 streams is judged while typing stays smooth', async ({ page }) => {
  await openPreset(page, 'orders');
  const streams = Array.from({ length: 200 }, (_, i) => `  S${i}:\n    subjects: [s${i}.>]\n    max_age: 72h\n    consumers:\n` +
    Array.from({ length: 5 }, (_, c) => `      c${c}: {ack_policy: explicit, filter_subject: s${i}.a${c}.>, workers: {count: 2}}\n`).join('')).join('');
  const pubs = Array.from({ length: 50 }, (_, i) => `  p${i}: {subject: s${i}.x.y, rate: 10/s}\n`).join('');
  await pasteDesign(page, `weir: 1\nname: large\nstreams:\n${streams}publishers:\n${pubs}`);
  await expect(verdict(page)).toContainText(/accepts 200 streams and 1,?000 consumers/, { timeout: 30_000 });
  await page.evaluate(() => {
    const tasks: number[] = [];
    (globalThis as unknown as { tasks: number[] }).tasks = tasks;
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ entryTypes: ['longtask'] });
  });
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('End');
  await page.keyboard.type(' # typed in one go, and then a pause', { delay: 40 });
  await expect(page.locator('footer')).not.toContainText('before this edit');
  await page.keyboard.type('; and on', { delay: 120 });
  await expect(page.locator('footer')).not.toContainText('before this edit');
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  const took = await page.locator('footer').textContent();
  const slowdown = await slowdownOf(page);
  console.log(`slowed down ${slowdown.toFixed(1)} times by other work; long tasks while typing: ${tasks.map(Math.round).join(', ') || 'none'} ms; ${/checked in [\d,]+ ms/.exec(took ?? '')?.[0]}`);
  expect(Math.max(0, ...tasks)).toBeLessThan(200 * slowdown);
});

for (const theme of ['light', 'dark'] as const) {
  for (const [device, width, height] of [['desk', 1440, 900], ['narrow', 1280, 800], ['phone', 390, 844]] as const) {
    test(`axe finds nothing on the workbench: ${theme}, ${device}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await openPreset(page, 'five-traps');
      await row(page, 'orders.>.paid').click();
      expect(await axeFaults(page), 'findings').toEqual([]);
      if (device === 'phone') {
        for (const part of ['Canvas', 'Design']) {
          await page.getByRole('navigation', { name: 'Parts of the workbench' }).getByRole('button', { name: part }).click();
          expect(await axeFaults(page), part).toEqual([]);
        }
        return;
      }
      await page.getByRole('button', { name: 'Presets' }).click();
      expect(await axeFaults(page), 'menu').toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Design: / }).click();
      await page.getByRole('menuitem', { name: 'Import' }).click();
      expect(await axeFaults(page), 'import').toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Design: / }).click();
      await page.getByRole('menuitem', { name: 'New' }).click();
      await expect(page.getByRole('heading', { name: 'No design yet' })).toBeVisible();
      expect(await axeFaults(page), 'empty').toEqual([]);
    });
  }
}

test('Tab goes through the editor and changes nothing until something is written', async ({ page }) => {
  await openPreset(page, 'orders');
  const before = await editor(page).innerText();
  await page.keyboard.press('Tab'); // the listeners are there once the page is
  await page.getByRole('region', { name: 'Design file' }).locator('button:visible').last().focus();
  await page.keyboard.press('Tab');
  await expect(editor(page)).toBeFocused();
  await expect(page.getByText('Tab moves on. Once you write')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
  expect(await editor(page).innerText()).toBe(before);
  await page.keyboard.press('Shift+Tab');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('# ');
  await page.keyboard.press('Tab');
  await expect(editor(page)).toBeFocused();
});

test('the first Tab offers to skip what is over the page', async ({ page }) => {
  await open(page, '#/labs/traps');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('what was said on a page is not said on the next', async ({ page }) => {
  await open(page, '#/nowhere');
  await expect(page.getByText('There is no page')).toBeVisible();
  await page.goto('./#/labs/traps');
  await expect(page.getByRole('navigation', { name: 'Traps' })).toBeVisible();
  await expect(page.getByText('There is no page')).toBeHidden();
});

test('a trap does not judge a design that cannot be read', async ({ page }) => {
  await open(page, '#/');
  await drop(page, [{ name: 'broken.yaml', text: 'weir: 1\nstreams: [\n' }]);
  await expect(verdict(page)).toContainText(/cannot be read|not a design|refuse/i);
  await page.goto('./#/labs/traps');
  await expect(page.getByText('It cannot be read as a design, so it is not judged')).toBeVisible();
});

test('by the keyboard alone: from the start page to a repaired design', async ({ page }) => {
  await open(page, '#/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('preset five');
  await expect(page.getByRole('option', { name: /five-traps/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(verdict(page)).toContainText('refuses');
  await page.keyboard.press('Control+e');
  await expect(editor(page)).toBeFocused();
  // The rules find more than the refusal; F8 goes on until its line.
  await expect(async () => {
    await page.keyboard.press('F8');
    await expect(page.locator('.cm-line.cm-chosen')).toContainText('orders.>.paid', { timeout: 300 });
  }).toPass();
  await page.keyboard.press('Control+.');
  await page.keyboard.press('Enter');
  await expect(verdict(page)).toContainText('accepts');
  // Tab writes in the editor until Escape lets it go.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveAttribute('role', 'separator');
  const width = async () => (await page.getByRole('region', { name: 'Design file' }).boundingBox())!.width;
  const before = await width();
  await page.keyboard.press('ArrowRight');
  await expect.poll(width).toBe(before + 20);
  // The tour of this preset stands before the canvas.
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toContainText('fraud', { timeout: 300 });
  }).toPass();
  await page.keyboard.press('Control+\\');
  await expect(page.locator('[data-canvas]')).toBeHidden();
  await page.keyboard.press('Control+\\');
  await expect(page.locator('[data-canvas]')).toBeVisible();
});

test('the phone goes round by its tabs, and nothing is cut', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPreset(page, 'five-traps');
  const tabs = page.getByRole('navigation', { name: 'Parts of the workbench' });
  await row(page, 'orders.>.paid').click();
  await expect(page.locator('.server')).toContainText('500/10052');
  for (const [tab, shown] of [['Canvas', '[data-canvas]'], ['Design', '.cm-content'], ['Findings', '[data-findings]']] as const) {
    await tabs.getByRole('button', { name: tab }).click();
    await expect(page.locator(shown)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), tab).toBeLessThanOrEqual(390);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a[href], select, input:not([type=checkbox], [type=file])')]
        .filter((node) => node.offsetParent !== null && node.getBoundingClientRect().height < 39 && node.closest('footer') === null)
        .map((node) => node.outerHTML.slice(0, 80)),
    );
    expect(small, `${tab}: smaller than a finger`).toEqual([]);
  }
  await page.getByRole('button', { name: 'Write orders.*.paid', exact: true }).click();
  await expect(verdict(page)).toContainText('accepts');
  await page.keyboard.press('Alt+7');
  await expect(page.getByRole('tab', { name: 'Outputs', selected: true })).toBeInViewport({ ratio: 0.95 });
  await tabs.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('dialog', { name: 'Go to anything' })).toBeVisible();
});
