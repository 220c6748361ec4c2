import { expect, test } from 'vitest';
import { History } from './history';

test('goes back and forth', () => {
  const h = new History('a');
  expect([h.canUndo, h.canRedo]).toEqual([false, false]);
  h.push('b');
  h.push('c');
  h.undo();
  expect(h.value).toBe('b');
  h.undo();
  h.undo();
  expect([h.value, h.canUndo, h.canRedo]).toEqual(['a', false, true]);
  h.redo();
  h.redo();
  h.redo();
  expect([h.value, h.canRedo]).toEqual(['c', false]);
});

test('an edit after undo ends redo', () => {
  const h = new History(1);
  h.push(2);
  h.undo();
  h.push(3);
  h.redo();
  expect(h.value).toBe(3);
  h.undo();
  expect(h.value).toBe(1);
});

test('typing is one step, a pause or another field begins the next', () => {
  const h = new History('');
  h.push('o', 'patterns', 0);
  h.push('or', 'patterns', 300);
  h.push('ord', 'patterns', 2000);
  h.push('ord!', 'subjects', 2100);
  const seen = [];
  while (h.canUndo) {
    h.undo();
    seen.push(h.value);
  }
  expect(seen).toEqual(['ord', 'or', '']);
});

test('typing after undo is a new step', () => {
  const h = new History('a');
  h.push('ab', 'patterns', 0);
  h.undo();
  h.push('ax', 'patterns', 100);
  h.undo();
  expect(h.value).toBe('a');
});

test('keeps a bounded number of steps', () => {
  const h = new History(0);
  for (let i = 1; i <= 500; i++) h.push(i);
  let steps = 0;
  for (; h.canUndo; steps++) h.undo();
  expect([steps, h.value]).toEqual([200, 300]);
});
