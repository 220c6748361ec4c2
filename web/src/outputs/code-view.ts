// Reading a file with its language's colours: CodeMirror without its keys. It is
// loaded with the panel, and each language when a file of it is opened.
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { theme } from '../workbench/editor/theme';

const stream = (parser: StreamParser<unknown>): Extension => StreamLanguage.define(parser);

/** The languages by the end of a path. */
const languages: Record<string, () => Promise<Extension>> = {
  json: async () => json(),
  yaml: async () => yaml(),
  go: () => import('@codemirror/legacy-modes/mode/go').then(({ go }) => stream(go)),
  sh: () => import('@codemirror/legacy-modes/mode/shell').then(({ shell }) => stream(shell)),
  py: () => import('@codemirror/legacy-modes/mode/python').then(({ python }) => stream(python)),
  ts: () => import('@codemirror/legacy-modes/mode/javascript').then(({ typescript }) => stream(typescript)),
  js: () => import('@codemirror/legacy-modes/mode/javascript').then(({ javascript }) => stream(javascript)),
  rs: () => import('@codemirror/legacy-modes/mode/rust').then(({ rust }) => stream(rust)),
  java: () => import('@codemirror/legacy-modes/mode/clike').then(({ java }) => stream(java)),
  toml: () => import('@codemirror/legacy-modes/mode/toml').then(({ toml }) => stream(toml)),
  conf: () => import('@codemirror/legacy-modes/mode/nginx').then(({ nginx }) => stream(nginx)),
};

/** Shows a file; the result takes it down again. */
export async function showCode(parent: HTMLElement, path: string, text: string, label: string): Promise<() => void> {
  const language = await (languages[path.slice(path.lastIndexOf('.') + 1)]?.() ?? []);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [lineNumbers(), highlightSpecialChars(), EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }), theme, language],
    }),
  });
  return () => view.destroy();
}
