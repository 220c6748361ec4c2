import { expect, test } from 'vitest';
import { formatHash, parseHash } from './route';

test.each([
  { hash: '', page: 'start' },
  { hash: '#/', page: 'start' },
  { hash: '#/subjects', page: 'subjects', panel: 'match', state: '' },
  { hash: '#/subjects?s=abc-_1', page: 'subjects', panel: 'match', state: 'abc-_1' },
  { hash: '#/subjects/relate?s=x', page: 'subjects', panel: 'relate', state: 'x' },
  { hash: '#/subjects/nothing', page: 'unknown', path: '/subjects/nothing' },
  { hash: '#/subjects/relate/more', page: 'unknown', path: '/subjects/relate/more' },
  { hash: '#/design', page: 'design', preset: '', state: '' },
  { hash: '#/design?s=abc-_1', page: 'design', preset: '', state: 'abc-_1' },
  { hash: '#/design?preset=five-traps', page: 'design', preset: 'five-traps', state: '' },
  { hash: '#/design?preset=orders&panel=sizing', page: 'design', preset: 'orders', panel: 'sizing', state: '' },
  { hash: '#/design/more', page: 'unknown', path: '/design/more' },
  { hash: '#/claims?verdict=false', page: 'listed', group: 'top', name: 'claims', values: { verdict: 'false' } },
  { hash: '#/labs/traps?lab=push', page: 'listed', group: 'labs', name: 'traps', values: { lab: 'push' } },
  { hash: '#/top/claims', page: 'unknown', path: '/top/claims' },
  { hash: '#/labs', page: 'unknown', path: '/labs' },
])('reads $hash', ({ hash, ...want }) => {
  expect(parseHash(hash)).toMatchObject(want);
});

test.each(['#/', '#/subjects', '#/subjects?s=abc', '#/subjects/transform', '#/subjects/partition?s=a-b_c', '#/design', '#/design?s=a-b_c', '#/design?preset=orders', '#/design?preset=orders&panel=sizing', '#/claims', '#/claims?verdict=false', '#/labs/traps?lab=push'])('writes %s back', (hash) => {
  const route = parseHash(hash);
  if (route.page === 'unknown') throw new Error('unknown');
  expect(formatHash(route)).toBe(hash);
});
