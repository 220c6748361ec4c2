import { expect, test } from 'vitest';
import { cellText, workingText, type Figure } from './figure';

const leaf: Figure = { name: 'an id', value: 136, low: 136, high: 136, unit: 'B', text: '136 B', rests: 'coefficient measured', source: 'measured on 2.15.2' };
const heap: Figure = { name: 'heap', value: 4.6e9, low: 4.3e9, high: 4.9e9, unit: 'B', text: '4.3 GiB', range: '4.0 GiB to 4.6 GiB', exact: '4,617,089,843 B', formula: 'ids × an id', note: 'live', terms: [leaf] };

test.each([
  { name: 'a text', cell: 'ORDERS', want: 'ORDERS' },
  { name: 'a figure without a range', cell: leaf, want: '136 B' },
  { name: 'a figure with a range', cell: heap, want: '4.3 GiB (4.0 GiB to 4.6 GiB)' },
])('a cell that holds $name', ({ cell, want }) => expect(cellText(cell)).toBe(want));

test('working as text', () => {
  expect(workingText(heap)).toBe(
    'heap = 4.3 GiB (4.0 GiB to 4.6 GiB), 4,617,089,843 B\n  = ids × an id\n  ! live\n  an id = 136 B  [coefficient measured]\n    source: measured on 2.15.2',
  );
});
