import { expect, test } from 'vitest';
import type { CheckFinding as Finding } from '../engine/types';
import { bySeverity, findingKey, inDocumentOrder, nextFinding, onLine } from './findings';

const finding = (file: string, line: number, col: number, more: Partial<Finding> = {}): Finding => ({ code: 'API1', severity: 'error', message: `${line}:${col}`, path: '', file, line, col, ...more }) as Finding;
const files = ['b.yaml', 'a.json'];
const all = inDocumentOrder([finding('a.json', 1, 1), finding('b.yaml', 9, 2), finding('b.yaml', 9, 1), finding('b.yaml', 2, 5)], files);

test('the order is that of the tabs, then of the places', () => {
  expect(all.map((one) => `${one.file}:${one.message}`)).toEqual(['b.yaml:2:5', 'b.yaml:9:1', 'b.yaml:9:2', 'a.json:1:1']);
});

test.each([
  { name: 'after the cursor', from: { file: 'b.yaml', line: 3, col: 1 }, forward: true, want: '9:1' },
  { name: 'before the cursor', from: { file: 'b.yaml', line: 3, col: 1 }, forward: false, want: '2:5' },
  { name: 'into the next file', from: { file: 'b.yaml', line: 9, col: 2 }, forward: true, want: '1:1' },
  { name: 'round at the end', from: { file: 'a.json', line: 5, col: 1 }, forward: true, want: '2:5' },
  { name: 'round at the start', from: { file: 'b.yaml', line: 1, col: 1 }, forward: false, want: '1:1' },
])('steps $name', ({ from, forward, want }) => {
  expect(nextFinding(all, files, from, null, forward)?.message).toBe(want);
});

test('several findings at one place are all reached', () => {
  const same = inDocumentOrder([finding('b.yaml', 2, 5, { code: 'A' }), finding('b.yaml', 2, 5, { code: 'B' }), finding('b.yaml', 4, 1)], files);
  const place = { file: 'b.yaml', line: 2, col: 5 };
  expect(nextFinding(same, files, place, same[0]!, true)?.code).toBe('B');
  expect(nextFinding(same, files, place, same[1]!, true)?.message).toBe('4:1');
  expect(nextFinding(same, files, place, same[0]!, false)?.message).toBe('4:1');
});

test('no finding, no step', () => {
  expect(nextFinding([], files, { file: 'b.yaml', line: 1, col: 1 }, null, true)).toBeNull();
});

test('a finding is the same when it only moved', () => {
  expect(findingKey(finding('a', 1, 1, { path: 'x' }))).toBe(findingKey(finding('a', 7, 3, { path: 'x', message: 'other' })));
  expect(findingKey(finding('a', 1, 1, { path: 'x' }))).not.toBe(findingKey(finding('a', 1, 1, { path: 'y' })));
});

test('groups go from the worst on; lines find theirs', () => {
  const mixed = [finding('a', 1, 1, { severity: 'info' }), finding('a', 1, 2), finding('a', 3, 1, { severity: 'info' })];
  expect(bySeverity(mixed).map((group) => [group.severity, group.findings.length])).toEqual([['error', 1], ['info', 2]]);
  expect(onLine(mixed, 'a', 1)).toHaveLength(2);
});
