import { expect, test } from 'vitest';
import { Lane, Superseded } from './lane';

function task() {
  let done!: (value: string) => void;
  let runs = 0;
  const end = new Promise<string>((resolve) => (done = resolve));
  return {
    run: () => {
      runs++;
      return end;
    },
    done,
    get runs() {
      return runs;
    },
  };
}

test('one runs, one waits, the newest wins', async () => {
  const lane = new Lane();
  const [a, b, c] = [task(), task(), task()];
  const first = lane.run(a.run);
  const second = lane.run(b.run);
  const third = lane.run(c.run);
  await expect(second).rejects.toBeInstanceOf(Superseded);
  expect([a.runs, b.runs, c.runs]).toEqual([1, 0, 0]);
  a.done('a');
  expect(await first).toBe('a');
  c.done('c');
  expect(await third).toBe('c');
  expect([a.runs, b.runs, c.runs]).toEqual([1, 0, 1]);
});

test('goes on after a task that failed', async () => {
  const lane = new Lane();
  await expect(lane.run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(await lane.run(() => Promise.resolve(1))).toBe(1);
});
