// Every action of the studio, once: the palette lists them, the keyboard runs
// them, the list of keys names them.
import { studio } from '../state/studio.svelte';
import { theme } from '../state/theme.svelte';
import { groups, pagesOf } from '../pages/list';
import { proveDesign } from '../prove/run.svelte';
import { writing } from '../report/writing.svelte';
import { panels, type Panel } from '../state/route';
import { arrangement } from '../workbench/arrangement.svelte';
import { bench } from '../workbench/bench.svelte';
import { dockPanels } from '../workbench/dock/panels';
import { copyLink, copyMatrix } from './copying.svelte';

/** Action is one thing that can be done anywhere. */
export interface Action {
  title: string;
  /** The keys as they are shown, '' without one. */
  keys: string;
  /** Whether an event is those keys. */
  on?: (event: KeyboardEvent) => boolean;
  /** Not to be run while text is being typed: the keys mean something there. */
  notInText?: boolean;
  /** Whether it can be done now. */
  can?: () => boolean;
  run: () => void;
}

/** Titles of the lab's panels: the tab, and the heading of the page. */
export const panelTitles: Record<Panel, { tab: string; heading: string; about: string }> = {
  match: { tab: 'Match', heading: 'Subject Matcher Verification Matrix', about: 'Patterns against subjects, each cell explained token by token' },
  relate: { tab: 'Relate', heading: 'Overlaps and reserved spaces', about: 'Which patterns share subjects, with a subject that proves it' },
  explain: { tab: 'Explain', heading: 'One subject in every context', about: 'Where a subject is valid, and an MQTT topic as a subject' },
  transform: { tab: 'Transform', heading: 'Subject transforms', about: 'What a source and a destination make of each subject' },
  partition: { tab: 'Partition', heading: 'Partitions and cardinality', about: 'How keys spread and move, and how many subjects' },
};

const ctrl = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && !event.altKey;
const alt = (event: KeyboardEvent) => event.altKey && !event.ctrlKey && !event.metaKey;
const key = (event: KeyboardEvent, name: string) => event.key.toLowerCase() === name;

const inLab = () => studio.panel !== null;
const onBench = () => studio.route.page === 'design';
const edited = () => (onBench() ? bench : studio);

/** All actions, in the order of the palette. */
export const actions: Action[] = [
  { title: 'Prove the design', keys: 'Ctrl Enter', on: (event) => ctrl(event) && event.key === 'Enter', can: () => onBench() && !bench.empty, run: proveDesign },
  { title: 'Next finding', keys: 'F8', on: (event) => event.key === 'F8' && !event.shiftKey, can: onBench, run: () => bench.step(true) },
  { title: 'Previous finding', keys: 'Shift F8', on: (event) => event.key === 'F8' && event.shiftKey, can: onBench, run: () => bench.step(false) },
  { title: 'Editor', keys: 'Ctrl E', on: (event) => ctrl(event) && key(event, 'e'), can: onBench, run: () => void arrangement.goTo('editor') },
  { title: 'Panel', keys: 'Ctrl J', on: (event) => ctrl(event) && key(event, 'j'), can: onBench, run: () => void arrangement.goTo('panel') },
  { title: 'Split or panel', keys: 'Ctrl \\', on: (event) => ctrl(event) && event.key === '\\', can: onBench, run: () => (arrangement.wholePanel = !arrangement.wholePanel) },
  { title: 'Format the file', keys: '', can: () => onBench() && !bench.empty, run: () => void bench.format() },
  { title: 'Report: one HTML file of all that is said', keys: '', can: () => onBench() && !bench.empty, run: () => void writing.start() },
  { title: 'Import files or a text', keys: '', run: () => (studio.dialog = 'import') },
  { title: 'Open the design kept before', keys: '', can: () => onBench() && bench.work.before !== null, run: () => void bench.openBefore() },
  { title: 'New, empty design', keys: '', can: () => onBench() && !bench.empty, run: () => bench.clear() },
  { title: 'Open a design: the workbench', keys: '', can: () => !onBench(), run: () => studio.goTo('design') },
  ...dockPanels.map((panel, i) => ({
    title: `${panel.title}: ${panel.about}`,
    keys: `Alt ${i + 1}`,
    on: (event: KeyboardEvent) => onBench() && alt(event) && event.code === `Digit${i + 1}`,
    can: onBench,
    run: () => arrangement.open(panel.name),
  })),
  ...[...groups.map((group) => group.name), 'top' as const].flatMap((group) => pagesOf(group).filter((page) => page.href !== '#/subjects').map((page) => ({ title: page.title, keys: '', run: () => void (location.hash = page.href) }))),
  ...panels.map((panel, i) => ({
    title: panelTitles[panel].heading,
    keys: `Alt ${i + 1}`,
    on: (event: KeyboardEvent) => !onBench() && alt(event) && event.code === `Digit${i + 1}`,
    run: () => studio.goTo(panel),
  })),
  { title: 'Start page', keys: '', run: () => studio.goTo('start') },
  { title: 'Go to anything', keys: 'Ctrl K', on: (event) => ctrl(event) && key(event, 'k'), run: () => (studio.dialog = 'palette') },
  { title: 'Undo', keys: 'Ctrl Z', notInText: true, on: (event) => ctrl(event) && !event.shiftKey && key(event, 'z'), can: () => edited().canUndo, run: () => void edited().undo() },
  {
    title: 'Redo', keys: 'Ctrl Shift Z', notInText: true,
    on: (event) => ctrl(event) && ((event.shiftKey && key(event, 'z')) || key(event, 'y')), can: () => edited().canRedo, run: () => void edited().redo(),
  },
  { title: 'Copy a link to this page', keys: '', can: () => inLab() || onBench(), run: () => void copyLink() },
  { title: 'Copy the matrix as Markdown', keys: '', can: inLab, run: () => void copyMatrix('markdown') },
  { title: 'Copy the matrix as TSV', keys: '', can: inLab, run: () => void copyMatrix('tsv') },
  { title: 'Load the textbook example', keys: '', can: () => studio.lab !== null, run: () => { studio.loadExample(); studio.goTo('match'); } },
  { title: 'Clear both lists', keys: '', can: () => studio.lab !== null, run: () => { studio.edit({ patterns: '', subjects: '' }); studio.goTo('match'); } },
  { title: 'Light or dark', keys: 'Alt D', on: (event) => alt(event) && event.code === 'KeyD', run: () => theme.toggle() },
  { title: 'Theme of the system', keys: '', can: () => theme.choice !== 'auto', run: () => theme.choose('auto') },
  { title: 'Keys', keys: '?', notInText: true, on: (event) => event.key === '?' && !event.ctrlKey && !event.altKey && !event.metaKey, run: () => (studio.dialog = 'keys') },
  { title: 'About Weir', keys: '', run: () => (studio.dialog = 'about') },
];

/** The presets as actions; they come from the engine. */
export const presetActions = (): Action[] =>
  bench.presets.map(({ name, title }) => ({ title: `Open the preset ${name}: ${title}`, keys: '', run: () => void bench.openPreset(name).then(() => studio.goTo('design')) }));

/** Keys that act inside one part only; the list of keys shows them after the actions. */
export const localKeys: { keys: string; does: string }[] = [
  { keys: 'arrows', does: 'move in the matrix' },
  { keys: 'Home, End', does: 'first, last pattern; with Ctrl first, last cell' },
  { keys: 'Page Up, Page Down', does: 'a screen of subjects' },
  { keys: 'Ctrl .', does: 'fixes for the line, in the editor' },
  { keys: 'Ctrl Space', does: 'what can be written here, in the editor' },
  { keys: 'Esc, Tab', does: 'leave the editor once you wrote in it' },
  { keys: 'T', does: 'the table behind the chart' },
  { keys: 'Enter', does: 'add what was typed; edit a line of a long list' },
  { keys: 'Esc', does: 'close; give up the edit of a line' },
];

/** Runs the action that a key stroke means, if any. */
export function runKeys(event: KeyboardEvent): void {
  if (event.defaultPrevented || (studio.dialog !== null && !(ctrl(event) && key(event, 'k')))) return;
  const typing = event.target instanceof HTMLElement && (event.target.isContentEditable || event.target.matches('input:not([type=checkbox]), textarea, select'));
  for (const action of actions) {
    if (!action.on?.(event) || (action.notInText && typing)) continue;
    event.preventDefault();
    if (action.can?.() ?? true) action.run();
    return;
  }
}
