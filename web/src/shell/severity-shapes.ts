/** A severity, or "in order". */
export type Level = 'error' | 'warning' | 'info' | 'ok';

const shapes: Record<Level, [cls: string, name: string, body: string]> = {
  error: ['e', 'error', '<path d="M4.3.8h5.4l3.5 3.5v5.4l-3.5 3.500H4.300L.8 9.700V4.300z" fill="currentColor"/><path d="m4.7 4.7 4.6 4.600m0-4.600L4.7 9.3" stroke="var(--surface)" stroke-width="1.6" stroke-linecap="round"/>'],
  warning: ['w', 'warning', '<path d="M7 .9c.4 0 .8.2 1 .6l5.3 9.800c.4.8-.1 1.7-1 1.700H1.700c-.9 0-1.4-.9-1-1.700L6 1.500c.2-.4.6-.6 1-.6z" fill="currentColor"/><path d="M7 4.600v3.7" stroke="#161d1b" stroke-width="1.6" stroke-linecap="round"/><circle cx="7" cy="10.6" r=".95" fill="#161d1b"/>'],
  info: ['i', 'information', '<circle cx="7" cy="7" r="5.7" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M7 6.500v3.3" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/><circle cx="7" cy="4.2" r=".95" fill="currentColor"/>'],
  ok: ['ok', 'in order', '<path d="m2.5 7.5 3 3L11.5 4" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>'],
};

/** A severity as SVG. Shape first: octagon refuses, triangle warns, ring informs, tick is in order. */
export function severityShape(level: Level): string {
  const [cls, name, body] = shapes[level];
  return `<svg class="sev ${cls}" viewBox="0 0 14 14" role="img" aria-label="${name}">${body}</svg>`;
}
