// The editor's parts put together: CodeMirror with the studio's look and keys,
// and the engine for completion and hover.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus, type CompletionSource } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import {
  crosshairCursor, drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
  placeholder, rectangularSelection, type HoverTooltipSource,
} from '@codemirror/view';
import { colouredAs, type DesignFile } from '../design-files';
import { fixMenu } from './fix-menu';
import { findingMarks } from './marks';
import { theme } from './theme';
import { valueColours } from './value-colours';

/** What the editor asks of and tells the workbench. */
export interface Hooks {
  complete: CompletionSource;
  hover: HoverTooltipSource;
  /** The text or the selection changed. */
  changed(view: EditorView, text: boolean): void;
  mark(offset: number): void;
  undo(): boolean;
  redo(): boolean;
  fixLine(): boolean;
  /** Escape with no list open. */
  leave(): boolean;
}

/** Tab completes where a completion is open, else it indents: Escape first, and Tab moves on. */
const indent = keymap.of([
  { key: 'Tab', run: (view) => (completionStatus(view.state) === 'active' ? acceptCompletion(view) : indentMore(view)), shift: indentLess },
]);

/** The state of a file that is opened. */
export function openState(file: DesignFile, hooks: Hooks): EditorState {
  const keys = Prec.highest(
    keymap.of([
      { key: 'Mod-z', run: () => hooks.undo(), preventDefault: true },
      { key: 'Mod-Shift-z', run: () => hooks.redo(), preventDefault: true },
      { key: 'Mod-y', run: () => hooks.redo(), preventDefault: true },
      { key: 'Escape', run: (view) => completionStatus(view.state) === null && hooks.leave() },
      { key: 'Mod-.', run: () => hooks.fixLine(), preventDefault: true },
    ]),
  );
  const extensions: Extension[] = [
    keys,
    findingMarks((offset) => hooks.mark(offset)),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    EditorState.tabSize.of(2),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    colouredAs(file) === 'json' ? json() : yaml(),
    valueColours,
    fixMenu,
    theme,
    autocompletion({ override: [hooks.complete], icons: false, activateOnTypingDelay: 60 }),
    hoverTooltip(hooks.hover, { hoverTime: 350 }),
    placeholder('Write a design, or drop a file'),
    EditorView.contentAttributes.of({ 'aria-label': `${file.name}, design`, tabindex: '0', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap]),
    indent,
    EditorView.updateListener.of((update) => {
      if (update.docChanged || update.selectionSet) hooks.changed(update.view, update.docChanged);
    }),
  ];
  return EditorState.create({ doc: file.text, extensions });
}
