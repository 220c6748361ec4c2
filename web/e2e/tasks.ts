import type { Browser, Page } from '@playwright/test';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  tdur?: number;
  args: { name?: string };
}

/**
 * Runs work and returns the longest task of the page's main thread in it, in
 * milliseconds of processor time. Time on the clock would count what other
 * programs of the machine take; for the page they are the same on a free machine.
 */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(traceEvents.filter((event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain').map((event) => `${event.pid}:${event.tid}`));
  const tasks = traceEvents.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && event.tdur !== undefined && mains.has(`${event.pid}:${event.tid}`));
  if (tasks.length < 10) throw new Error(`only ${tasks.length} tasks in the trace: the names of its events have changed`);
  return Math.max(...tasks.map((event) => event.tdur!)) / 1000;
}
