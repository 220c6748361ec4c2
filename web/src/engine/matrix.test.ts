import { expect, test } from 'vitest';
import { splitLines } from './lines';
import { decodeBase64, faultOf, matchAt, overviewInvalid, packMatrix, wildcardAt } from './matrix';
import type { MatrixReply } from './types';

// Recorded from subject.matrix of the engine.
const patterns = ['orders.*', 'orders.>', 'orders.>.paid', 'orders.*'];
const subjects = ['orders.created', 'orders', 'orders.*', 'Orders.created', 'orders..created'];
const reply: MatrixReply = {
  patterns: [
    { pattern: 'orders.*', valid: true, matches: 2, same_as: -1 },
    { pattern: 'orders.>', valid: true, matches: 2, same_as: -1 },
    { pattern: 'orders.>.paid', valid: false, reason: '> at position 2 is not the last token', matches: 0, same_as: -1 },
    { pattern: 'orders.*', valid: true, matches: 2, same_as: 0 },
  ],
  subjects: [
    { subject: 'orders.created', valid: true, wildcard: false, matches: 3 },
    { subject: 'orders', valid: true, wildcard: false, matches: 0 },
    { subject: 'orders.*', valid: true, wildcard: true, matches: 3 },
    { subject: 'Orders.created', valid: true, wildcard: false, matches: 0 },
    { subject: 'orders..created', valid: false, reason: 'empty token at position 2', wildcard: false, matches: 0 },
  ],
  row_bytes: 1,
  rows: 'CwALAAA=',
  cells: 20,
  matching: 6,
  summary: '',
  grounds: '',
  surprises: [],
};
const packed = packMatrix(reply, splitLines(patterns.join('\n')), splitLines(subjects.join('\n')), 1);

test('reads the bits', () => {
  const table = subjects.map((_, s) => patterns.map((_, p) => (matchAt(packed, s, p) ? 1 : 0)).join(''));
  expect(table).toEqual(['1101', '0000', '1101', '0000', '0000']);
});

test('folds equal patterns into the first', () => {
  expect([...packed.columns]).toEqual([0, 1, 2]);
  expect([...packed.folded]).toEqual([2, 1, 1]);
});

test('keeps faults, counts and wildcards', () => {
  expect(faultOf(packed.patterns, 2)).toBe('> at position 2 is not the last token');
  expect(faultOf(packed.patterns, 1)).toBe('');
  expect(faultOf(packed.subjects, 4)).toBe('empty token at position 2');
  expect([...packed.subjects.matches]).toEqual([3, 0, 3, 0, 0]);
  expect(subjects.map((_, i) => wildcardAt(packed, i))).toEqual([false, false, true, false, false]);
});

test('bits of rows wider than a byte', () => {
  const wide = Array.from({ length: 20 }, (_, i) => ({ pattern: `p${i}`, valid: true, matches: 1, same_as: -1 }));
  const rows = Uint8Array.of(0, 0b10, 0b1000, 1, 0, 0);
  const two = packMatrix(
    { ...reply, patterns: wide, subjects: reply.subjects.slice(0, 2), row_bytes: 3, rows: btoa(String.fromCharCode(...rows)) },
    splitLines(''), splitLines(''), 0,
  );
  const hits = [0, 1].map((s) => wide.flatMap((_, p) => (matchAt(two, s, p) ? [p] : [])));
  expect(hits).toEqual([[9, 19], [0]]);
});

test('the overview shows matches and faults', () => {
  const { width, height, pixels } = packed.overview;
  expect([width, height]).toEqual([3, 5]);
  expect([...pixels].map((v) => (v === overviewInvalid ? 'x' : v > 0 ? '1' : '0')).join('')).toBe('11x' + '00x' + '11x' + '00x' + 'xxx');
});

test('the overview of many lines keeps a single match visible', () => {
  const many = 5000;
  const bits = new Uint8Array(many);
  bits[1234] = 1;
  const tall = packMatrix(
    { ...reply, patterns: [wideOne], subjects: Array.from({ length: many }, () => reply.subjects[1]!), row_bytes: 1, rows: Buffer.from(bits).toString('base64') },
    splitLines(''), splitLines(''), 0,
  );
  expect([tall.overview.width, tall.overview.height]).toEqual([1, 512]);
  expect(tall.overview.pixels.filter((v) => v > 0).length).toBe(1);
});

const wideOne = { pattern: 'a', valid: true, matches: 1, same_as: -1 };

test('decodes base64', () => {
  expect([...decodeBase64('AP+A')]).toEqual([0, 255, 128]);
});
