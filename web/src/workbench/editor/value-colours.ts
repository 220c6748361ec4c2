// Colours inside plain values, which the grammars of YAML and JSON leave whole:
// numbers with their unit, and the wildcard tokens of subjects.
import { syntaxTree } from '@codemirror/language';
import type { Range } from '@codemirror/state';
import { Decoration, ViewPlugin, type DecorationSet, type EditorView, type ViewUpdate } from '@codemirror/view';
import { tokenPieces } from '../../layout/tokens';

const number = Decoration.mark({ class: 'cm-number' });
const wild = Decoration.mark({ class: 'cm-wild' });

/** A number as a person writes it, with or without a unit. */
const numeric = /^[-+]?\d[\d_,.]*\s?[A-Za-zµ%]*(\/[A-Za-z]+)?$/;
const valueNodes = new Set(['Literal', 'QuotedLiteral', 'String']);
/** A longer value is not looked at. */
const maxValue = 500;

/** The pieces of a value that have a colour of their own, as ranges in it. */
export function valuePieces(text: string): { from: number; to: number; kind: 'number' | 'wild' }[] {
  if (numeric.test(text)) return [{ from: 0, to: text.length, kind: 'number' }];
  if (!text.includes('.') && text !== '>' && text !== '*') return [];
  const out: { from: number; to: number; kind: 'number' | 'wild' }[] = [];
  let at = 0;
  for (const piece of tokenPieces(text)) {
    if (piece.wild) out.push({ from: at, to: at + piece.text.length, kind: 'wild' });
    at += piece.text.length;
  }
  return out;
}

function decorate(view: EditorView): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  const doc = view.state.doc;
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from, to,
      enter(node) {
        if (node.name === 'Key' || node.name === 'PropertyName') return false;
        if (!valueNodes.has(node.name) || node.to - node.from > maxValue) return undefined;
        const quoted = node.name !== 'Literal' ? 1 : 0;
        const start = node.from + quoted;
        for (const piece of valuePieces(doc.sliceString(start, node.to - quoted))) {
          if (piece.kind === 'number' && quoted) continue;
          ranges.push((piece.kind === 'number' ? number : wild).range(start + piece.from, start + piece.to));
        }
        return undefined;
      },
    });
  }
  return Decoration.set(ranges, true);
}

/** Colours the visible values. */
export const valueColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged || syntaxTree(update.startState) !== syntaxTree(update.state)) this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
