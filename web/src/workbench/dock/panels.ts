// The panels of the dock, once: tabs, keys, the palette and the phone's tabs
// come from this list. A panel is a Svelte component in a folder of its own
// that fills the dock below the tabs and begins with its verdict (class
// "verdict", an h3 in one sentence). It is loaded when it is first opened.
import type { Component } from 'svelte';
import { bench } from '../bench.svelte';

/** The tabs in their order; a panel that is not built yet has no tab. */
export const panelOrder = ['findings', 'subjects', 'sizing', 'backpressure', 'advise', 'proof', 'outputs'] as const;
export type PanelName = (typeof panelOrder)[number];

/** A number beside a tab: how many, and whether it is bad news. */
export interface Badge {
  count: number;
  bad: boolean;
}

export interface DockPanel {
  name: PanelName;
  title: string;
  /** What the panel answers, for the palette. */
  about: string;
  load: () => Promise<{ default: Component }>;
  /** What stands beside the title; read in a reactive place. */
  badge?: () => Badge | null;
}

const panels: DockPanel[] = [
  {
    name: 'findings', title: 'Findings', about: 'what servers refuse and why',
    load: () => import('../FindingsPanel.svelte'),
    badge: () => (bench.report && !bench.empty ? { count: bench.report.findings.length, bad: bench.report.counts.errors > 0 } : null),
  },
  { name: 'subjects', title: 'Subjects', about: 'which stream and consumer gets what is published', load: () => import('../../subjects/DesignSubjects.svelte') },
  { name: 'sizing', title: 'Sizing', about: 'disk, heap, limits, growth, and what failures cost', load: () => import('../../sizing/SizingPanel.svelte') },
  { name: 'advise', title: 'Advise', about: 'what to set, with reasons and rejected alternatives', load: () => import('../../advise/AdvisePanel.svelte') },
  { name: 'outputs', title: 'Outputs', about: 'configuration and client code', load: () => import('../../outputs/OutputsPanel.svelte') },
  { name: 'proof', title: 'Proof', about: 'what the real server does with the design, in this tab', load: () => import('../../prove/ProofPanel.svelte') },
  { name: 'backpressure', title: 'Backpressure', about: 'pending, latency and redeliveries under load and faults', load: () => import('../../backpressure/BackpressurePanel.svelte') },
];

/** The panels that there are, in the order of the tabs. */
export const dockPanels: readonly DockPanel[] = panels.sort((a, b) => panelOrder.indexOf(a.name) - panelOrder.indexOf(b.name));

/** The panel of a name, undefined when there is none. */
export const panelOf = (name: string): DockPanel | undefined => dockPanels.find((panel) => panel.name === name);
