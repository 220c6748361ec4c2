// How a chart looks, in uPlot's terms: colours from the page's tokens, ticks,
// limits and faults as the engine placed and worded them.
import type uPlot from 'uplot';
import { gutter, type ChartData } from './chart';
import { Places, type Box } from './labels';

const seriesTokens = ['--s1', '--s2', '--s3', '--s4', '--s5'];
const dashes = [[], [6, 3], [2, 3], [8, 3, 2, 3], [1, 2]];

/** The columns that uPlot draws: x, then each series, then the edges of bands. */
export function toAligned(chart: ChartData): uPlot.AlignedData {
  const log = (values: readonly (number | null)[]) => (chart.y.log ? values.map((value) => (value === null || value <= 0 ? null : value)) : values);
  const columns = chart.series.map((series) => log(series.values));
  const edges = chart.series.flatMap((series) => (series.low && series.high ? [log(series.high), log(series.low)] : []));
  return [chart.xs, ...columns, ...edges] as unknown as uPlot.AlignedData;
}

interface Look {
  width: number;
  height: number;
  sync: string;
  /** Told the x under the crosshair, null without one. */
  read: (x: number | null) => void;
}

/** The options of one chart. */
export function makeOptions(Plot: typeof uPlot, chart: ChartData, style: CSSStyleDeclaration, look: Look): uPlot.Options {
  const token = (name: string) => style.getPropertyValue(name).trim();
  const colour = (i: number) => token(seriesTokens[i % seriesTokens.length]!);
  const font = `11px ${token('--sans')}`;
  const axis = { stroke: token('--text-3'), font, ticks: { show: false } };
  const text = new Map<number, string>();
  const place = (ticks: readonly { at: number; text: string }[]) => ticks.map((tick) => (text.set(tick.at, tick.text), tick.at));
  const series: uPlot.Series[] = [{}];
  chart.series.forEach((one, i) => {
    series.push({
      label: one.name, width: 1.75, spanGaps: false,
      stroke: one.dots ? token('--measured') : colour(i),
      dash: one.dots ? undefined : dashes[i],
      paths: one.dots ? () => null : undefined,
      points: { show: one.dots === true, size: 5, fill: token('--measured') },
      fill: one.area ? token('--band') : undefined,
    });
  });
  const bands: uPlot.Band[] = [];
  chart.series.forEach((one) => {
    if (!one.low || !one.high) return;
    bands.push({ series: [series.length, series.length + 1], fill: token('--band') });
    for (let edge = 0; edge < 2; edge++) series.push({ label: '', width: 0, stroke: 'transparent', points: { show: false } });
  });
  return {
    width: look.width, height: look.height, series, bands,
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false }, ...(look.sync === '' ? {} : { sync: { key: look.sync } }) },
    legend: { show: false },
    padding: [10, 26, 0, 0],
    scales: {
      x: { time: false, range: [0, chart.x.max] },
      y: chart.y.log ? { distr: 3, range: [chart.y.ticks[0]?.at ?? 1, chart.y.max] } : { range: [0, chart.y.max] },
    },
    axes: [
      { ...axis, size: 26, splits: () => place(chart.x.ticks), values: (_, splits) => splits.map((at) => text.get(at) ?? ''), grid: { show: false } },
      { ...axis, size: gutter(chart.y.ticks), splits: () => place(chart.y.ticks), filter: (_, splits) => splits, values: (_, splits) => chart.y.ticks.slice(0, splits.length).map((tick) => tick.text), grid: { stroke: token('--grid'), width: 1 } },
    ],
    hooks: {
      drawClear: [(u) => stretches(u, chart, token)],
      draw: [(u) => marks(u, Plot.pxRatio, chart, token)],
      setCursor: [(u) => look.read(u.cursor.left === undefined || u.cursor.left < 0 ? null : u.posToVal(u.cursor.left, 'x'))],
    },
  };
}

/** Stretches of x, behind everything. */
function stretches(u: uPlot, chart: ChartData, token: (name: string) => string): void {
  const { top, height } = u.bbox;
  for (const fault of chart.faults ?? []) {
    if (fault.to === undefined) continue;
    const [from, to] = [u.valToPos(fault.at, 'x', true), u.valToPos(fault.to, 'x', true)];
    u.ctx.fillStyle = token('--surface-3');
    u.ctx.fillRect(from, top, Math.max(1, to - from), height);
  }
}

/** Limits across and faults down, and then their names, which no line goes through. */
function marks(u: uPlot, ratio: number, chart: ChartData, token: (name: string) => string): void {
  const { ctx, bbox } = u;
  const [right, bottom] = [bbox.left + bbox.width, bbox.top + bbox.height];
  const limits = (chart.limits ?? []).map((limit) => ({ text: limit.text, y: u.valToPos(limit.at, 'y', true) })).filter(({ y }) => y >= bbox.top - 1 && y <= bottom);
  const faults = (chart.faults ?? []).map((fault) => ({ ...fault, x: u.valToPos(fault.at, 'x', true) })).filter(({ x }) => x >= bbox.left && x <= right);
  ctx.save();
  ctx.font = `600 ${11 * ratio}px ${token('--sans')}`;
  ctx.lineWidth = 1.25 * ratio;
  ctx.strokeStyle = token('--limit');
  for (const { y } of limits) line(ctx, bbox.left, y, right, y, [5 * ratio, 3 * ratio]);
  ctx.strokeStyle = token('--text-2');
  for (const { x, to } of faults) if (to === undefined) line(ctx, x, bbox.top, x, bottom, [2 * ratio, 2 * ratio]);

  const places = new Places();
  const height = 14 * ratio;
  const write = (text: string, colour: string, boxes: (width: number) => Box[]) => {
    const box = places.take(boxes(ctx.measureText(text).width + 4 * ratio));
    if (!box) return; // its line stands, and a name on a name is none
    ctx.fillStyle = token('--surface');
    ctx.fillRect(box.left, box.top, box.width, box.height);
    ctx.fillStyle = token(colour);
    ctx.fillText(text, box.left + 2 * ratio, box.top + height / 2);
  };
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { text, y } of limits) {
    const tops = [y - height - ratio, y + 2 * ratio].filter((top) => top >= bbox.top && top + height <= bottom);
    write(text, '--limit', (width) => tops.flatMap((top) => [right - width - 2 * ratio, bbox.left + 2 * ratio].map((left) => ({ left, top, width, height }))));
  }
  const rows = Math.floor(bbox.height / height);
  for (const { text, x } of faults) {
    write(text, '--text-2', (width) => {
      const left = x + width + 2 * ratio > right ? Math.max(bbox.left, x - width - 2 * ratio) : x + 2 * ratio;
      return Array.from({ length: rows }, (_, row) => ({ left, top: bbox.top + row * height, width, height }));
    });
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number, dash: number[]): void {
  ctx.beginPath();
  ctx.setLineDash(dash);
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
  ctx.setLineDash([]);
}
