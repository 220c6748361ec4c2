// The editor of the workbench: one view, and a state for each file of the
// design. The states outlive the view, so that leaving the page loses nothing.
import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import type { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { CheckFinding as Finding, Edit } from '../../engine/types';
import { bench, type EditorMemory, type EditorPort } from '../bench.svelte';
import type { DesignFile } from '../design-files';
import { onLine } from '../findings';
import { colOfIndex } from '../place';
import { changesOf, smallestChange } from './edits';
import { completions, documentation } from './engine-help';
import { openFixMenu } from './fix-menu';
import { chooseLine, offsetOf, rangeOf, showDiagnostics, type Place } from './marks';
import { openState, type Hooks } from './setup';

class Controller implements EditorPort {
  #view: EditorView | null = null;
  #states = new Map<string, EditorState>();
  /** The file whose state the view holds, '' without a view. */
  #shown = '';

  #hooks: Hooks = {
    complete: completions,
    hover: documentation,
    changed: (view, text) => {
      this.#tellCursor(view);
      if (!text) return;
      view.setTabFocusMode(false);
      bench.edited();
      this.#tellDepths();
    },
    mark: (offset) => {
      const line = this.#view!.state.doc.lineAt(offset).number;
      bench.choose(onLine(bench.inOrder, this.#shown, line)[0] ?? null, true);
    },
    undo: () => bench.undo() || true,
    redo: () => bench.redo() || true,
    fixLine: () => this.#fixLine(),
    leave: () => this.#leave(),
  };

  /** Opens files in place of those before; from memory where it has them. */
  open(files: readonly DesignFile[], memory: EditorMemory | null): void {
    this.#shown = '';
    this.#states = new Map(files.map((file) => [file.name, (memory?.get(file.name) as EditorState | undefined) ?? openState(file, this.#hooks)]));
  }

  /** Shows the editor in an element. */
  mount(host: HTMLElement): void {
    this.#view = new EditorView({ parent: host });
  }

  unmount(): void {
    if (this.#view && this.#shown !== '') this.#states.set(this.#shown, this.#view.state);
    this.#view?.destroy();
    this.#view = null;
    this.#shown = '';
  }

  /** Puts a file into view. */
  turnTo(name: string): void {
    const next = this.#states.get(name);
    if (!this.#view || !next || name === this.#shown) return;
    if (this.#shown !== '') this.#states.set(this.#shown, this.#view.state);
    this.#shown = name;
    this.#view.setState(next);
    this.#tellCursor(this.#view);
    this.#tellDepths();
  }

  /** Marks findings in the file in view. */
  mark(findings: readonly Finding[]): void {
    if (!this.#view) return;
    const { doc } = this.#view.state;
    const diagnostics = findings
      .filter((finding) => finding.file === this.#shown && finding.line > 0)
      .map((finding) => {
        const { fix } = finding;
        return {
          ...rangeOf(doc, finding), severity: finding.severity as 'error' | 'warning' | 'info', source: finding.code, message: finding.message,
          ...(fix ? { actions: [{ name: fix.title, apply: () => bench.applyFix(fix) }] } : {}),
        };
      })
      .toSorted((a, b) => a.from - b.from);
    this.#view.dispatch(showDiagnostics(this.#view.state, diagnostics));
  }

  /** Marks the line of the chosen finding; null for none. */
  markChosen(finding: Finding | null): void {
    if (!this.#view) return;
    const here = finding !== null && finding.file === this.#shown && finding.line > 0;
    this.#view.dispatch({ effects: chooseLine(here ? offsetOf(this.#view.state.doc, finding.line, finding.col) : null) });
  }

  text(name: string): string | null {
    return this.#stateOf(name)?.doc.toString() ?? null;
  }

  apply(edits: readonly Edit[]): void {
    for (const name of new Set(edits.map((edit) => edit.file))) {
      const state = this.#stateOf(name);
      if (!state) continue;
      const spec = { changes: changesOf(state.doc, edits.filter((edit) => edit.file === name)), userEvent: 'input.fix' };
      if (name === this.#shown) this.#view!.dispatch(spec);
      else this.#states.set(name, state.update(spec).state);
    }
    bench.edited();
  }

  write(name: string, text: string): void {
    const state = this.#stateOf(name);
    const change = state && smallestChange(state.doc.toString(), text);
    if (!change) return;
    const spec = { changes: change, userEvent: 'input.format' };
    if (name === this.#shown) this.#view!.dispatch(spec);
    else this.#states.set(name, state.update(spec).state);
    bench.edited();
  }

  undo(): boolean {
    return this.#view !== null && undo(this.#view);
  }

  redo(): boolean {
    return this.#view !== null && redo(this.#view);
  }

  reveal(place: Place, focus: boolean): void {
    if (!this.#view) return;
    this.turnTo(bench.active);
    const { from, to } = rangeOf(this.#view.state.doc, place);
    this.#view.dispatch({ selection: focus ? { anchor: to, head: from } : { anchor: from }, effects: [EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 76, xMargin: 140 }), chooseLine(from)] });
    if (focus) this.#view.focus();
  }

  focus(): void {
    this.#view?.focus();
  }

  /** The keyboard came here on its way: Tab goes on until something is written. */
  passing(): void {
    this.#view?.setTabFocusMode(true);
  }

  /** Somebody clicked into the text: Tab indents. */
  staying(): void {
    this.#view?.setTabFocusMode(false);
  }

  hasFocus(): boolean {
    return this.#view?.hasFocus ?? false;
  }

  memory(): EditorMemory {
    return new Map([...this.#states.keys()].map((name) => [name, this.#stateOf(name)]));
  }

  #stateOf(name: string): EditorState | undefined {
    return name === this.#shown && this.#view ? this.#view.state : this.#states.get(name);
  }

  #tellCursor(view: EditorView): void {
    const { head } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    bench.cursor = { line: line.number, col: colOfIndex(line.text, head - line.from) };
  }

  #tellDepths(): void {
    if (this.#view) bench.depths(undoDepth(this.#view.state), redoDepth(this.#view.state));
  }

  #fixLine(): boolean {
    const fixes = onLine(bench.inOrder, this.#shown, bench.cursor.line).flatMap((finding) => finding.fix ?? []);
    if (bench.stale) bench.said = 'the design is being checked';
    else if (fixes.length === 0) bench.said = `no fix for line ${bench.cursor.line}`;
    else openFixMenu(this.#view!, fixes.map((fix) => fix.title), (i) => bench.applyFix(fixes[i]!));
    return true;
  }

  #leave(): boolean {
    this.#view?.setTabFocusMode(true);
    bench.said = 'Tab leaves the editor now';
    return false; // a selection is given up as well
  }
}

/** The editor of this tab. */
export const controller = new Controller();
