// Completion and documentation in the editor. What may be written and what it
// means comes from the engine; here it is only shown.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { startCompletion } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { Text } from '@codemirror/state';
import type { EditorView, Tooltip } from '@codemirror/view';
import type { FieldDoc } from '../../engine/types';
import { studio } from '../../state/studio.svelte';
import { bench } from '../bench.svelte';
import { colOfIndex } from '../place';
import { offsetOf } from './marks';

/** A larger text is not sent for each key that is pressed. */
const maxAsked = 1 << 20;

function question(doc: Text, offset: number) {
  const line = doc.lineAt(offset);
  return { name: bench.active, text: doc.toString(), line: line.number, col: colOfIndex(line.text, offset - line.from), target: bench.judgedBy };
}

/** What may be written at the cursor. */
export async function completions(context: CompletionContext): Promise<CompletionResult | null> {
  const { doc } = context.state;
  if (doc.length > maxAsked) return null;
  // Unasked, the list opens in a word, behind a key's colon, and nowhere else.
  if (!context.explicit && !context.matchBefore(/[\w"]$|: $|\[$/)) return null;
  if (syntaxTree(context.state).resolveInner(context.pos, -1).name === 'Comment') return null;
  try {
    const reply = await studio.engine.call('design.complete', question(doc, context.pos));
    if (context.aborted || reply.completions.length === 0) return null;
    return {
      from: offsetOf(doc, reply.at.line, reply.at.col),
      validFor: /^[\w"]*$/,
      options: reply.completions.map((one, i) => ({
        label: one.label, detail: one.detail, type: one.key ? 'property' : 'constant', boost: -i / 1000,
        ...(one.doc ? { info: one.doc } : {}),
        apply: (view: EditorView, _: Completion, from: number, to: number) => {
          view.dispatch({ changes: { from, to, insert: one.insert }, selection: { anchor: from + one.insert.length }, userEvent: 'input.complete' });
          if (one.key) startCompletion(view);
        },
      })),
    };
  } catch {
    return null; // overtaken by a newer question, or the engine is not there
  }
}

/** What is known about the word at a place. */
export async function documentation(view: EditorView, pos: number): Promise<Tooltip | null> {
  const { doc } = view.state;
  if (doc.length > maxAsked) return null;
  try {
    const reply = await studio.engine.call('design.hover', question(doc, pos));
    if (!reply.found || view.state.doc !== doc) return null;
    const from = offsetOf(doc, reply.at.line, reply.at.col);
    const end = reply.at.end_line ? offsetOf(doc, reply.at.end_line, reply.at.end_col ?? 1) : from;
    return { pos: from, end, above: true, create: () => ({ dom: fieldCard(reply.field, bench.judgedBy) }) };
  } catch {
    return null;
  }
}

function element(tag: string, cls: string, text = ''): HTMLElement {
  const out = document.createElement(tag);
  out.className = cls;
  out.textContent = text;
  return out;
}

/** A field's documentation as a card. */
export function fieldCard(field: FieldDoc, version: string): HTMLElement {
  const card = element('div', 'cm-field');
  const head = element('div', 'cm-field-head');
  head.append(element('b', 'mono', field.name), element('span', 't2', field.type + (field.unit ? `, ${field.unit}` : '')));
  card.append(head);
  if (!field.available && version !== '') card.append(element('p', 'error', `not in nats-server ${version}`));
  if (field.doc) card.append(element('p', '', field.doc));
  const facts: [string, string | undefined][] = [
    ['values', field.values.join(', ')],
    ['default', field.default],
    ['range', field.range],
    ['servers', [field.since && `since ${field.since}`, field.until && `until ${field.until}`].filter(Boolean).join(', ')],
    ['update', field.update],
    ['sets', field.sets.join(', ')],
    ['source', field.source],
  ];
  const list = element('dl', '');
  for (const [name, value] of facts) if (value) list.append(element('dt', '', name), element('dd', '', value));
  if (list.childElementCount > 0) card.append(list);
  return card;
}
