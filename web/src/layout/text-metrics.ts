let advance = 0;

/** The width of one character of the 12 px monospaced type, in px. */
export function monoAdvance(): number {
  if (advance > 0) return advance;
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 7.25;
  context.font = `12px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`;
  advance = context.measureText('0'.repeat(50)).width / 50;
  return advance;
}
