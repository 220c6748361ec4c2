// Two tabs of one browser: each has its own design, and nothing of one is lost without a word.
import type { Page } from '@playwright/test';
import { axeFaults, expect, open, test } from './fixtures';

const editor = (page: Page) => page.locator('.cm-content');
const said = (page: Page) => page.getByText('Another tab changed this design');

/** Opens the workbench and waits until its design is kept. */
async function start(page: Page, hash: string): Promise<void> {
  await open(page, hash);
  await expect(editor(page)).not.toBeEmpty();
  await expect(page).toHaveURL(/#\/design\?s=/);
}

/** Writes a comment into the first line, and waits until it is kept. */
async function write(page: Page, comment: string): Promise<void> {
  const before = page.url();
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type(`# ${comment}\n`);
  await expect(page).not.toHaveURL(before);
}

test('a new tab goes on with the design, and both say when the other changes it', async ({ page, context }) => {
  await start(page, '#/design?preset=jobs');
  const other = await context.newPage();
  await start(other, '#/design');
  await expect(said(page)).toHaveCount(0);
  await write(other, 'of the second tab');
  await expect(said(page)).toBeVisible();
  await expect(said(other)).toHaveCount(0);
  expect(await axeFaults(page)).toEqual([]);
  await expect(editor(page)).not.toContainText('of the second tab');

  // Its text, with the keyboard; the focus goes to the editor, and undo brings the own text back.
  await page.getByRole('button', { name: 'Take its text' }).press('Enter');
  await expect(editor(page)).toContainText('of the second tab');
  await expect(said(page)).toHaveCount(0);
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(editor(page)).not.toContainText('of the second tab');
  await expect(said(other)).toBeVisible();

  // The own text: from here on each has its own, across a reload too.
  await other.getByRole('button', { name: 'Keep mine' }).click();
  await expect(said(other)).toHaveCount(0);
  await write(page, 'of the first tab');
  await write(other, 'once more of the second');
  await other.reload();
  await expect(editor(other)).toContainText('once more of the second');
  await expect(said(other)).toHaveCount(0);
  await page.reload();
  await expect(editor(page)).toContainText('of the first tab');
  await expect(editor(page)).not.toContainText('of the second');
});

test('what another tab wrote while this one was away is said on its return', async ({ page, context }) => {
  await start(page, '#/design?preset=jobs');
  const other = await context.newPage();
  await start(other, '#/design');
  const address = page.url();
  await page.goto('about:blank');
  await write(other, 'written meanwhile');
  await page.goto(address);
  await expect(said(page)).toBeVisible();
  await expect(editor(page)).not.toContainText('written meanwhile');
});

test('tabs with different designs say nothing of each other, and neither is lost when both are closed', async ({ page, context }) => {
  await start(page, '#/design?preset=jobs');
  await write(page, 'the jobs of one tab');
  const other = await context.newPage();
  await start(other, '#/design?preset=telemetry');
  await write(other, 'the telemetry of another');
  await expect(said(page)).toHaveCount(0);
  await expect(said(other)).toHaveCount(0);
  await page.close();
  await other.close();
  const later = await context.newPage();
  await start(later, '#/design');
  await expect(editor(later)).toContainText('the telemetry of another');
  await later.getByRole('button', { name: /^Design: / }).click();
  await later.getByText('Open the design kept before').click();
  await expect(editor(later)).toContainText('the jobs of one tab');
});
