import { expect, test } from 'vitest';
import { Ahead } from './ahead';

const design = { files: [{ name: 'design.yaml', text: 'weir: 1' }], requests: 1, editedAt: -1e9 };
const versions = ['', '2.15'];

/** An engine that notes what it is asked. */
function engine(asking: (what: string) => void = () => {}) {
  const asked: string[] = [];
  return {
    asked,
    idle: true,
    quiet: async () => void asked.push('quiet'),
    call: async (_method: string, req: { files: { name: string; text: string }[]; target: string; aside?: boolean }) => {
      const what = `${req.files[0]!.text} by ${req.target || 'its own'}${req.aside ? ', aside' : ''}`;
      asked.push(what);
      asking(what);
      return {};
    },
  };
}
const ahead = (one: ReturnType<typeof engine>, seen?: () => boolean) => new Ahead(one as unknown as ConstructorParameters<typeof Ahead>[0], seen ?? (() => true));
const both = ['quiet', 'weir: 1 by its own', 'weir: 1 by 2.15'];

test('after a pause come the other versions, then once the presets', async () => {
  const one = engine();
  const work = ahead(one);
  await work.judge(design, versions, ['orders', 'chat']);
  expect(one.asked).toEqual([...both, 'orders by its own, aside', 'chat by its own, aside', 'orders by 2.15, aside', 'chat by 2.15, aside']);
  one.asked.length = 0;
  await work.judge(design, versions, ['orders', 'chat']);
  expect(one.asked).toEqual(both);
});

test('an edit ends it after the check that runs', async () => {
  const one = engine((what) => what.includes('its own') && work.stop());
  const work = ahead(one);
  await work.judge(design, versions, ['orders']);
  expect(one.asked).toEqual(both.slice(0, 2));
});

test('a newer design takes its place', async () => {
  const one = engine();
  const work = ahead(one);
  await Promise.all([work.judge(design, versions, []), work.judge({ ...design, files: [{ name: 'design.yaml', text: 'newer' }] }, versions, [])]);
  expect(one.asked.filter((what) => what !== 'quiet')).toEqual(['newer by its own', 'newer by 2.15']);
});

test('what the reader asks for comes between two checks', async () => {
  const one = engine((what) => what.includes('its own') && (one.idle = false));
  one.quiet = async () => {
    one.asked.push('quiet');
    one.idle = true;
  };
  await ahead(one).judge(design, versions, []);
  expect(one.asked).toEqual(['quiet', both[1], 'quiet', both[2]]);
});

test('a check that would hold up what is asked for is not made ahead', async () => {
  const one = engine();
  await ahead(one).judge({ ...design, requests: 100_000 }, versions, []);
  expect(one.asked).toEqual(['quiet']);
});

test('nothing is done on a page that nobody sees, nor right after an edit', async () => {
  const hidden = engine();
  await ahead(hidden, () => false).judge(design, versions, ['orders']);
  expect(hidden.asked).toEqual(['quiet']);

  const typing = engine();
  const work = ahead(typing);
  typing.quiet = async () => {
    if (typing.asked.push('quiet') === 5) work.stop();
  };
  await work.judge({ ...design, editedAt: Infinity }, versions, ['orders']);
  expect(typing.asked).toEqual(Array(5).fill('quiet'));
});

test('a failure ends it without a word', async () => {
  const one = engine(() => {
    throw new Error('the engine ended');
  });
  await ahead(one).judge(design, versions, ['orders']);
  expect(one.asked).toEqual(both.slice(0, 2));
});
