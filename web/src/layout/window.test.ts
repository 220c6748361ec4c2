import { expect, test } from 'vitest';
import { maxExtent, prefixSums, Track, visibleColumns } from './window';

test('draws what is in view and a little more', () => {
  const track = new Track(10_000, 27, 270);
  expect(track.extent).toBe(270_000);
  expect(track.visible(0, 2)).toEqual({ from: 0, to: 12 });
  expect(track.visible(2700, 2)).toEqual({ from: 98, to: 112 });
  expect(track.visible(track.extent - 270, 2)).toEqual({ from: 9988, to: 10_000 });
  expect(track.offset(100, 2700)).toBe(2700);
});

test('a million rows: every row can be reached and lies where it is drawn', () => {
  const track = new Track(1_000_000, 27, 540);
  expect(track.extent).toBe(maxExtent);
  expect(track.visible(0, 0).from).toBe(0);
  expect(track.visible(track.extent - 540, 0).to).toBe(1_000_000);
  for (const row of [0, 1, 999, 500_000, 999_999]) {
    const scroll = track.reveal(row, 0);
    const { from, to } = track.visible(scroll, 0);
    expect(row >= from && row < to, `row ${row}`).toBe(true);
    const top = track.offset(row, scroll) - scroll;
    expect(top).toBeGreaterThanOrEqual(-0.01);
    expect(top + 27).toBeLessThanOrEqual(540.01);
  }
});

test('reveal moves as little as it can', () => {
  const track = new Track(100, 10, 100);
  expect(track.reveal(5, 0)).toBe(0);
  expect(track.reveal(10, 0)).toBe(10);
  expect(track.reveal(3, 50)).toBe(30);
  expect(track.reveal(99, 0)).toBe(900);
});

test('a list shorter than the view does not scroll', () => {
  const track = new Track(3, 27, 540);
  expect(track.visible(0, 4)).toEqual({ from: 0, to: 3 });
  expect(track.scrollFor(500)).toBe(0);
  expect(new Track(0, 27, 540).visible(0, 4)).toEqual({ from: 0, to: 0 });
});

test('columns of different width', () => {
  const sums = prefixSums([100, 50, 200, 80]);
  expect([...sums]).toEqual([0, 100, 150, 350, 430]);
  expect(visibleColumns(sums, 0, 120, 0)).toEqual({ from: 0, to: 2 });
  expect(visibleColumns(sums, 100, 50, 0)).toEqual({ from: 1, to: 3 });
  expect(visibleColumns(sums, 360, 500, 1)).toEqual({ from: 2, to: 4 });
  expect(visibleColumns(prefixSums([]), 0, 500, 1)).toEqual({ from: 0, to: 0 });
});
