// The list of fixes for a line, at the cursor.
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { EditorView, showTooltip, type Tooltip } from '@codemirror/view';

const show = StateEffect.define<Tooltip | null>();

/** Holds the open list; part of every editor state. */
export const fixMenu: Extension = StateField.define<Tooltip | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** Opens the list at the cursor; run is called with the index of the chosen title. */
export function openFixMenu(view: EditorView, titles: string[], run: (index: number) => void): void {
  const close = () => {
    view.dispatch({ effects: show.of(null) });
    view.focus();
  };
  const create = () => {
    const dom = document.createElement('div');
    dom.className = 'cm-fixes';
    dom.setAttribute('role', 'menu');
    dom.setAttribute('aria-label', 'Fixes for this line');
    const buttons = titles.map((title, i) => {
      const button = document.createElement('button');
      button.setAttribute('role', 'menuitem');
      button.tabIndex = -1;
      button.textContent = title;
      button.onclick = () => {
        close();
        run(i);
      };
      dom.append(button);
      return button;
    });
    dom.onkeydown = (event) => {
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) buttons[(at + step + buttons.length) % buttons.length]!.focus();
      else if (event.key === 'Escape' || event.key === 'Tab') close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    return { dom, mount: () => buttons[0]!.focus() };
  };
  view.dispatch({ effects: show.of({ pos: view.state.selection.main.head, above: false, create }) });
}
