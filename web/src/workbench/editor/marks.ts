// Findings in the editor: squiggles through the lint package, a mark of the
// severity's shape beside the line, and the line that is chosen.
import { forEachDiagnostic, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { StateEffect, StateField, type EditorState, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, gutter, GutterMarker } from '@codemirror/view';
import { severityShape, type Level } from '../../shell/severity-shapes';
import { indexOfCol } from '../place';

/** A place in a text; lines and columns count from 1, columns in characters. The end is 0 when it is not known. */
export interface Place {
  line: number;
  col: number;
  end_line?: number;
  end_col?: number;
}

/** The offset of a place, within the text whatever the place says. */
export function offsetOf(doc: Text, line: number, col: number): number {
  if (line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const at = doc.line(line);
  return at.from + indexOfCol(at.text, col);
}

/** The range of a place; never empty where the line has a character to mark. */
export function rangeOf(doc: Text, place: Place): { from: number; to: number } {
  const from = offsetOf(doc, place.line, place.col);
  if (place.end_line) {
    const to = offsetOf(doc, place.end_line, place.end_col ?? 1);
    if (to > from) return { from, to };
  }
  const line = doc.lineAt(from);
  if (from < line.to) return { from, to: line.to };
  return { from: Math.max(line.from, from - 1), to: from };
}

const rank: Record<string, number> = { error: 0, warning: 1, info: 2 };

class SeverityMarker extends GutterMarker {
  constructor(readonly level: Level, readonly count: number) {
    super();
  }
  override eq(other: SeverityMarker): boolean {
    return other.level === this.level && other.count === this.count;
  }
  override toDOM(): Node {
    const box = document.createElement('span');
    box.innerHTML = severityShape(this.level);
    box.title = `${this.count} ${this.count === 1 ? this.level : 'findings, worst: ' + this.level}; press to see ${this.count === 1 ? 'it' : 'the first'}`;
    return box;
  }
}

/** The worst level and the number of findings that begin on each line. */
function levelsOf(state: EditorState): Map<number, { level: Level; count: number }> {
  const out = new Map<number, { level: Level; count: number }>();
  forEachDiagnostic(state, ({ severity }, from) => {
    const line = state.doc.lineAt(from).from;
    const before = out.get(line);
    const level = severity as Level;
    if (!before) out.set(line, { level, count: 1 });
    else out.set(line, { level: rank[level]! < rank[before.level]! ? level : before.level, count: before.count + 1 });
  });
  return out;
}

const levels = StateField.define<Map<number, { level: Level; count: number }>>({
  create: levelsOf,
  update: (value, transaction) => (transaction.docChanged || transaction.effects.length > 0 ? levelsOf(transaction.state) : value),
});

const choose = StateEffect.define<number | null>();
const chosenLine = Decoration.line({ class: 'cm-chosen' });
const chosen = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(choose)) return effect.value === null ? Decoration.none : Decoration.set(chosenLine.range(transaction.state.doc.lineAt(Math.min(effect.value, transaction.state.doc.length)).from));
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks the line of an offset as the chosen one; null for none. */
export const chooseLine = (offset: number | null) => choose.of(offset);

/** Shows diagnostics in place of those before. */
export const showDiagnostics = (state: EditorState, diagnostics: Diagnostic[]) => setDiagnostics(state, diagnostics);

/** The gutter and the chosen line. onMark is called with the offset of the line whose mark was pressed. */
export function findingMarks(onMark: (offset: number) => void): Extension {
  return [
    levels,
    chosen,
    gutter({
      class: 'cm-marks',
      lineMarker(view, line) {
        const at = view.state.field(levels).get(line.from);
        return at ? new SeverityMarker(at.level, at.count) : null;
      },
      lineMarkerChange: (update) => update.startState.field(levels) !== update.state.field(levels),
      domEventHandlers: {
        click(view, line) {
          if (!view.state.field(levels).has(line.from)) return false;
          onMark(line.from);
          return true;
        },
      },
    }),
  ];
}
