// The editor's look, from the studio's tokens: one theme for light and dark.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Squiggles are text decorations: the lint package's own are data: images, which
// the studio's content security policy does not load.
const underline = (style: string, colour: string, width: string) => ({
  backgroundImage: 'none', paddingBottom: '0', textDecoration: `underline ${style} ${colour} ${width}`, textUnderlineOffset: '3px', textDecorationSkipInk: 'none',
});

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--syn-str)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused:focus-visible': { boxShadow: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '19px', overflow: 'auto' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--text)' },
  '.cm-content:focus-visible': { boxShadow: 'none' },
  '.cm-line': { padding: '0 14px 0 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '1.5px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-line)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--surface-3)' },
  '.cm-line.cm-chosen, &.cm-focused .cm-line.cm-chosen': { backgroundColor: 'var(--accent-soft)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 11px 0 0', minWidth: '30px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-marks': { width: '17px' },
  '.cm-marks .cm-gutterElement': { padding: '4px 0 0 4px', cursor: 'pointer' },
  '.cm-marks svg': { width: '11px', height: '11px' },
  '.cm-lintRange-error': underline('wavy', 'var(--error)', '1px'),
  '.cm-lintRange-warning': underline('wavy', 'var(--warn)', '1px'),
  '.cm-lintRange-info': underline('dotted', 'var(--info)', '1.5px'),
  '.cm-lintRange-active': { backgroundColor: 'var(--error-soft)' },
  '.cm-lintPoint::after': { border: 'none', content: '""' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent-line)' },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--error-soft)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--surface-3)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn-line)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--warn-line)' },
  '.cm-specialChar': { color: 'var(--error-text)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-number': { color: 'var(--syn-num)' },
  '.cm-wild': { color: 'var(--syn-wild)', fontWeight: '700' },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)', borderColor: 'var(--line-strong)', fontFamily: 'var(--sans)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line-strong)' },
  '.cm-panel.cm-search': { padding: '8px 30px 8px 10px', fontSize: '12px' },
  '.cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-textfield': { border: '1px solid var(--line-ctl)', borderRadius: 'var(--r-2)', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '12px', height: '24px' },
  '.cm-button': { border: '1px solid var(--line-strong)', borderRadius: 'var(--r-2)', background: 'var(--surface)', color: 'var(--text)', fontSize: '12px', height: '24px', textTransform: 'none' },
  '.cm-tooltip': { border: '1px solid var(--line-ctl)', borderRadius: 'var(--r-2)', backgroundColor: 'var(--surface)', color: 'var(--text)', boxShadow: 'var(--shadow-2)', fontFamily: 'var(--sans)', fontSize: '12px', maxWidth: 'min(460px, calc(100vw - 24px))' },
  '.cm-tooltip-section:not(:first-child)': { borderTop: '1px solid var(--line)' },
  '.cm-tooltip .cm-tooltip-arrow:before, .cm-tooltip .cm-tooltip-arrow:after': { display: 'none' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: 'none', lineHeight: '17px', overflowWrap: 'anywhere' },
  '.cm-diagnosticText': { whiteSpace: 'pre-wrap' },
  '.cm-diagnosticSource': { color: 'var(--text-3)', opacity: '1', fontSize: '12px', fontFamily: 'var(--mono)' },
  '.cm-diagnosticAction': { margin: '6px 8px 0 0', padding: '2px 8px', border: '1px solid var(--line-strong)', borderRadius: 'var(--r-2)', background: 'var(--surface)', color: 'var(--text)', fontSize: '12px', display: 'inline-block' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px', maxHeight: '240px', minWidth: '230px', padding: '4px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '20px', borderRadius: 'var(--r-1)', display: 'flex', gap: '12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--selected)', color: 'var(--text)' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionLabel': { flex: '1' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent-text)', fontWeight: '700' },
  '.cm-completionDetail': { marginLeft: '0', fontStyle: 'normal', fontFamily: 'var(--sans)', color: 'var(--text-3)' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 10px', maxWidth: '340px', lineHeight: '17px', whiteSpace: 'normal' },
  '.cm-field': { padding: '8px 12px', lineHeight: '17px', maxWidth: '440px' },
  '.cm-field-head': { display: 'flex', gap: '10px', alignItems: 'baseline', marginBottom: '4px' },
  '.cm-field p': { marginBottom: '6px' },
  '.cm-field dl': { display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', gap: '2px 10px', color: 'var(--text-2)', overflowWrap: 'anywhere' },
  '.cm-field dt': { color: 'var(--text-3)' },
  '.cm-fixes': { padding: '4px', display: 'flex', flexDirection: 'column' },
  '.cm-fixes button': { padding: '5px 10px', borderRadius: 'var(--r-2)', fontSize: '12px', textAlign: 'left' },
  '.cm-fixes button:focus, .cm-fixes button:hover': { background: 'var(--selected)', boxShadow: 'none' },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--syn-key)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--syn-num)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--syn-com)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.squareBracket, tags.brace], color: 'var(--syn-punct)' },
  { tag: [tags.meta, tags.keyword, tags.labelName, tags.typeName], color: 'var(--syn-wild)' },
]);

/** The look of the editor. */
export const theme: Extension = [look, syntaxHighlighting(colours)];
