// A page that fails its test when anything is written to the console as an
// error, and the ways into the lab that every test needs.
import axe from 'axe-core';
import { expect, test as base, type Page } from '@playwright/test';

export const test = base.extend<{ quiet: void; permissions: string[] }>({
  permissions: ['clipboard-read', 'clipboard-write'],
  quiet: [
    async ({ context }, use) => {
      const faults: string[] = [];
      context.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      context.on('weberror', (error) => faults.push(error.error().message));
      await use();
      expect(faults, 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Opens a page of the studio and waits for the engine. */
export async function open(page: Page, hash = '#/subjects'): Promise<void> {
  await page.goto('./' + hash);
  await expect(page.locator('footer')).toContainText('engine ready');
}

/** What axe finds wrong with the page as it is, a line for each place. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return violations.flatMap((found) => found.nodes.map((node) => `${found.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
}

/** The field or list that holds the patterns or the subjects. */
export const list = (page: Page, name: 'Patterns' | 'Subjects') => page.getByRole('complementary', { name: 'Lists' }).getByRole('textbox', { name: new RegExp(`^${name}, one`) });

/** Replaces both lists as a person would: by pasting. */
export async function pasteLists(page: Page, patterns: string, subjects: string): Promise<void> {
  await page.getByRole('button', { name: 'Clear both' }).click();
  await paste(page, 'Patterns', patterns);
  await paste(page, 'Subjects', subjects);
}

/** Pastes into a list through the clipboard. */
export async function paste(page: Page, name: 'Patterns' | 'Subjects', text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await list(page, name).focus();
  await page.keyboard.press('ControlOrMeta+v');
}

/** One cell of the matrix. */
export const cell = (page: Page, subject: string, pattern: string) => page.locator(`[data-subject="${subject}"] [data-pattern="${pattern}"]`);

/** What every drawn cell says, a line for each subject: 1 match, 0 no match, x not valid. */
export async function drawn(page: Page): Promise<Record<string, string>> {
  return page.getByRole('grid').evaluate((grid) => {
    const out: Record<string, string> = {};
    const letter: Record<string, string> = { match: '1', 'no match': '0', 'not valid': 'x' };
    for (const row of grid.querySelectorAll('[role=row]')) {
      const subject = row.getAttribute('data-subject') ?? row.querySelector('[role=rowheader] .name')?.textContent ?? null;
      if (subject === null) continue;
      out[subject] = [...row.querySelectorAll('[role=gridcell][aria-label]')].map((cell) => letter[cell.getAttribute('aria-label') ?? ''] ?? '?').join('');
    }
    return out;
  });
}
