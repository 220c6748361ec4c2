// How the parts of the workbench are arranged: their sizes, and what a phone
// shows, where one part fits at a time.
import { tick } from 'svelte';
import { readKept, writeKept } from '../state/kept';
import { bench } from './bench.svelte';
import { panelOf, type PanelName } from './dock/panels';

const storageKey = 'weir.arrangement';

/** The parts that take turns on a phone. */
export type Part = 'panel' | 'canvas' | 'editor';

/** The limits of the sizes, in px. */
export const limits = { editor: [320, 640], dock: [140, 900] } as const;

class Arrangement {
  editorWidth = $state(400);
  dockHeight = $state(312);
  /** The panel has the canvas's place too. */
  wholePanel = $state(false);
  /** The panel that is open. */
  panel = $state<PanelName>('findings');
  part = $state<Part>('panel');

  constructor() {
    const kept: unknown = parse(readKept(storageKey));
    if (typeof kept !== 'object' || kept === null) return;
    const { editor, dock } = kept as Record<string, unknown>;
    if (typeof editor === 'number') this.editorWidth = Math.max(limits.editor[0], Math.min(limits.editor[1], editor));
    if (typeof dock === 'number') this.dockHeight = Math.max(limits.dock[0], Math.min(limits.dock[1], dock));
  }

  resize(editor: number, dock: number): void {
    this.editorWidth = editor;
    this.dockHeight = dock;
    writeKept(storageKey, JSON.stringify({ editor, dock }));
  }

  /** Opens a panel, on the phone too; a name of no panel changes nothing. */
  open(name: string): void {
    const panel = panelOf(name);
    if (!panel) return;
    this.panel = panel.name;
    this.part = 'panel';
  }

  /** Brings a part into view and gives it the keyboard. */
  async goTo(part: Part): Promise<void> {
    this.part = part;
    await tick();
    if (part === 'editor') bench.editor?.focus();
    else (part === 'panel' ? focusable('#dock-panel') ?? focusable('[data-dock]') : focusable('[data-canvas]'))?.focus();
  }
}

const focusable = (inside: string) => document.querySelector<HTMLElement>(`${inside} [tabindex="0"]`);

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The arrangement of this tab. */
export const arrangement = new Arrangement();
