// The workbench's state: the files of the design, what the engine says of them,
// what is chosen, and where the design is kept. The texts that are being edited
// live in the editor, which is loaded with the page; here is what the rest of
// the studio needs of them.
import { EngineError, Superseded } from '../engine/client';
import type { CheckFinding as Finding, CheckReply, Edit, Fix, GraphReply, OutlineReply, Preset } from '../engine/types';
import { counted } from '../layout/counted';
import { decode, encode } from '../state/codec';
import { KeptWork } from '../state/kept-work.svelte';
import { OtherFormat } from '../state/lab';
import type { Route } from '../state/route';
import { maxEncoded, maxKept, maxLink, studio, type Kept } from '../state/studio.svelte';
import { Ahead } from './ahead';
import { firstName, freeName, maxFiles, type DesignFile } from './design-files';
import { bySeverity, findingKey, inDocumentOrder, nextFinding, onLine } from './findings';
import { isBelow } from './paths';
import { withEdits } from './place';
import { fromShared, toShared, type SharedDesign } from './shared-design';

/** The pause in typing after which the design is judged, in ms: short enough to feel at once, long enough for a fast typist. */
const judgePause = 80;
const savePause = 300;
/** For so long after a key a text that cannot be read is taken for half a word, in ms. */
const halfWord = 700;
/** The replaced designs that undo can bring back. */
const maxReplaced = 20;

/** What the workbench asks of the editor. */
export interface EditorPort {
  /** The text of a file as it is now. */
  text(name: string): string | null;
  /** Makes edits of any files, one step of undo in each. */
  apply(edits: readonly Edit[]): void;
  /** Replaces the text of a file by one step. */
  write(name: string, text: string): void;
  undo(): boolean;
  redo(): boolean;
  /** Shows a place of the open file, and moves the cursor there. */
  reveal(place: { line: number; col: number; end_line?: number; end_col?: number }, focus: boolean): void;
  focus(): void;
  hasFocus(): boolean;
  open(files: readonly DesignFile[], memory: EditorMemory | null): void;
  /** All that undo needs to bring the open files back as they are now. */
  memory(): EditorMemory;
}

/** The editor's states by file; only the editor looks inside. */
export type EditorMemory = ReadonlyMap<string, unknown>;

/** An address of the workbench. */
type DesignRoute = Extract<Route, { page: 'design' }>;

interface Replaced extends SharedDesign {
  memory: EditorMemory;
}

class Bench {
  files = $state.raw<readonly DesignFile[]>([]);
  active = $state('');
  /** The server version to judge by, '' for the one that the design names. */
  target = $state('');
  /** Rises when the files were replaced from outside the editor. */
  generation = $state(0);
  /** Whether the kept design has been looked for. */
  opened = $state(false);

  presets = $state.raw<Preset[]>([]);
  /** The server versions that can be judged by, the newest first. */
  versions = $state.raw<string[]>([]);
  report = $state.raw<CheckReply | null>(null);
  outline = $state.raw<OutlineReply | null>(null);
  /** The topology to draw; it comes right after the findings. */
  graph = $state.raw<GraphReply | null>(null);
  /** The topology is from before an edit that cannot be read. */
  graphBefore = $state(false);
  /** What the last simulation says of the goals, and the files that it was of; null before one, and for a design without goals. */
  simulated = $state.raw<{ run: string; verdict: string; met: boolean; files: readonly DesignFile[] } | null>(null);
  /** Streams whose folded consumers are open, and whether all are. */
  unfolded = $state.raw<readonly string[]>([]);
  allUnfolded = $state(false);
  /** The last report of a text that could be read, while the text cannot. */
  before = $state.raw<{ report: CheckReply; at: Date } | null>(null);
  /** The files were edited after what is shown was made. */
  stale = $state(false);
  /** The check has taken more than half a second. */
  slow = $state(false);
  /** Why there is no answer, '' when there is one. */
  fault = $state('');
  /** How long the check took in ms, and when it ended. */
  took = $state(0);
  checked = $state.raw<Date | null>(null);

  /** The chosen finding, and the part of the design that is chosen with or without one. */
  finding = $state.raw<Finding | null>(null);
  path = $state('');
  cursor = $state.raw({ line: 1, col: 1 });
  canUndo = $state(false);
  canRedo = $state(false);
  kept = $state<Kept>('link');
  /** One sentence about what was just done or could not be, '' for none. */
  said = $state('');

  /** The design as this browser keeps it, and what another tab made of it. */
  readonly work = new KeptWork('weir.design');

  /** The editor, once the page has loaded it. */
  editor: EditorPort | null = null;

  /** What the editor starts the files of this generation with, null to start afresh. */
  #memory: EditorMemory | null = null;
  /** The generation whose files the editor has. */
  #inEditor = -1;

  #past: Replaced[] = [];
  #future: Replaced[] = [];
  #run = 0;
  #ahead = new Ahead(studio.engine);
  #editedAt = -halfWord;
  /** Nothing of the design that is open has been shown yet. */
  #fresh = true;
  #judging: ReturnType<typeof setTimeout> | undefined;
  #saving: ReturnType<typeof setTimeout> | undefined;
  #saveRun = 0;
  #encoded = '';
  /** What this tab last wrote into the address: going back to it is no other design. */
  #inAddress = '';
  /** The address whose design was opened last. */
  #followed: DesignRoute | null = null;
  #opening: Promise<void> | null = null;
  #presetsRead: Promise<void> | null = null;

  constructor() {
    addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden' && this.#saving !== undefined) void this.#save();
      if (document.visibilityState === 'visible' && this.report && !this.stale) this.#lookAhead();
    });
  }

  /** The findings in the order of files and places. */
  inOrder = $derived(inDocumentOrder(this.report?.findings ?? [], this.files.map((file) => file.name)));

  get activeFile(): DesignFile | undefined {
    return this.files.find((file) => file.name === this.active);
  }

  /** Whether there is anything to judge. */
  get empty(): boolean {
    return this.files.every((file) => file.text.trim() === '');
  }

  /** The server version of the last check, '' before one. */
  get judgedBy(): string {
    return this.target || ((this.before?.report ?? this.report)?.target ?? '');
  }

  /** What the design is called: by its own name, else by its first file. */
  get name(): string {
    return this.outline?.name || (this.empty ? 'no design' : (this.files[0]?.name ?? 'no design'));
  }

  /** Opens what this browser kept, once. */
  open(): Promise<void> {
    return (this.#opening ??= this.#open());
  }

  async #open(): Promise<void> {
    this.#presetsRead = this.#readPresets();
    const kept = this.work.read();
    const design = kept === null ? null : await readable(kept);
    // An address that holds what is kept asks for nothing else.
    if (design && kept!.length <= maxLink) this.#encoded = kept!;
    this.#show(design ?? emptyDesign(), null);
    this.opened = true;
  }

  async #readPresets(): Promise<void> {
    try {
      const { presets, versions } = await studio.engine.call('design.presets', {});
      this.presets = presets;
      this.versions = versions;
    } catch {
      // The state of the engine is said in the foot of the page.
    }
  }

  /** Opens what an address names: a preset, or a design in the address itself. */
  async follow(route: DesignRoute): Promise<void> {
    const { preset, state } = route;
    await this.open();
    if (preset !== '') {
      await this.openPreset(preset);
      this.#followed = route;
      this.#toAddress();
      return;
    }
    if (state === '' || this.#isOurs(state)) {
      this.#toAddress();
      return;
    }
    const generation = this.#expect();
    try {
      const design = fromShared(await decode(state));
      this.#followed = route;
      this.work.part();
      this.replace(design);
    } catch (err) {
      this.#followed = route;
      studio.notice = `The link holds no design that can be read${err instanceof OtherFormat ? `: ${err.message}` : ': it was cut or changed on its way'}. Here is what this tab had.`;
      this.#cameNot(generation);
      this.#toAddress();
    }
  }

  async openPreset(name: string): Promise<void> {
    await this.open();
    const generation = this.#expect();
    await this.#presetsRead;
    const preset = this.presets.find((one) => one.name === name);
    if (preset) {
      this.work.part();
      return this.replace(oneFile(preset.text));
    }
    if (this.presets.length > 0) studio.notice = `There is no preset ${name}; the menu Presets lists them.`;
    this.#cameNot(generation);
  }

  /** Another design is about to be opened: what is open now is neither judged first nor written into the address. */
  #expect(): number {
    clearTimeout(this.#judging);
    clearTimeout(this.#saving);
    this.#saveRun++;
    return this.generation;
  }

  /** The design that was expected is not there: the one that stays is judged. */
  #cameNot(generation: number): void {
    if (generation === this.generation) this.#changed(0);
  }

  /** Makes a text the open design and goes to it; undo there brings the one before it back. */
  async openText(text: string): Promise<void> {
    await this.open();
    this.work.part();
    this.replace(oneFile(text));
    studio.goTo('design');
  }

  /** Opens an empty design. */
  clear(): void {
    this.work.part();
    this.replace(emptyDesign());
  }

  /** Takes over what another tab made of this design; undo brings the own text back. */
  async takeOther(): Promise<void> {
    const design = this.work.other === null ? null : await readable(this.work.other);
    if (!design) return this.keepOwn();
    this.replace(design);
    await this.#save();
    this.editor?.focus();
  }

  /** Goes on with the own text: from here on it is a design of its own. */
  async keepOwn(): Promise<void> {
    this.work.part();
    await this.#save();
    this.editor?.focus();
  }

  /** Opens the design that was kept before this one; undo brings this one back. */
  async openBefore(): Promise<void> {
    const design = this.work.before === null ? null : await readable(this.work.before);
    if (!design) return;
    this.work.part();
    this.replace(design);
  }

  /** Opens another design; undo brings the one before it back. */
  replace(design: SharedDesign): void {
    if (!this.empty) this.#remember();
    this.#show(design, null);
  }

  /** Puts files beside those that are open; an empty design gives way. */
  add(files: readonly DesignFile[]): void {
    if (files.length === 0) return;
    if (this.empty) return this.replace({ files: [...files], active: files[0]!.name, target: this.target });
    const all = [...this.#current().files];
    const room = maxFiles - all.length;
    if (files.length > room) studio.notice = `${counted(files.length - room, 'file is', 'files are')} left out; a design may have ${maxFiles}.`;
    for (const file of files.slice(0, room)) all.push({ name: freeName(file.name, all.map((one) => one.name)), text: file.text });
    const first = all[this.files.length];
    if (first) this.replace({ files: all, active: first.name, target: this.target });
  }

  /** Takes a file out of the design. */
  remove(name: string): void {
    const files = this.#current().files.filter((file) => file.name !== name);
    const at = this.files.findIndex((file) => file.name === name);
    const active = this.active === name ? files[Math.min(at, files.length - 1)]?.name : this.active;
    this.replace(files.length === 0 ? emptyDesign() : { files, active: active!, target: this.target });
  }

  show(name: string): void {
    if (this.files.some((file) => file.name === name)) this.active = name;
  }

  judgeBy(target: string): void {
    this.target = target;
    this.#changed(0);
  }

  /** Gives the editor the files of this generation, once. */
  openFiles(editor: EditorPort): void {
    if (this.#inEditor === this.generation) return;
    this.#inEditor = this.generation;
    editor.open(this.files, this.#memory);
  }

  /** The editor changed a text. */
  edited(): void {
    this.#editedAt = performance.now();
    this.#future = [];
    this.#changed(judgePause);
  }

  /** The editor says how far it can go back and forth in the open file. */
  depths(undo: number, redo: number): void {
    this.canUndo = undo > 0 || this.#past.length > 0;
    this.canRedo = redo > 0 || this.#future.length > 0;
  }

  undo(): boolean {
    if (this.editor?.undo()) return true;
    const before = this.#past.pop();
    if (!before) return false;
    this.#future.push(this.#remembered());
    this.#show(before, before.memory);
    return true;
  }

  redo(): boolean {
    if (this.editor?.redo()) return true;
    const after = this.#future.pop();
    if (!after) return false;
    this.#past.push(this.#remembered());
    this.#show(after, after.memory);
    return true;
  }

  /** Chooses a finding in all views. show moves the editor there, focus the keyboard too. */
  choose(finding: Finding | null, show = false, focus = false): void {
    this.finding = finding;
    if (!finding) return;
    this.path = finding.path;
    if (!show || finding.line === 0) return;
    this.show(finding.file);
    this.editor?.reveal(finding, focus);
  }

  /** Chooses a part of the design, and the worst finding that it has: its own before those of its consumers. */
  choosePart(path: string, place: { file: string; line: number; col: number }): void {
    this.path = path;
    const below = this.report?.findings.filter((finding) => isBelow(finding.path, path)) ?? [];
    this.finding = worst(below.filter((finding) => !isBelow(finding.path, `${path}.consumers`))) ?? worst(below);
    if (place.line === 0) return;
    this.show(place.file);
    this.editor?.reveal(place, false);
  }

  /** Chooses what stands at a place of a file, and the first finding of its line. */
  async chooseAt(file: string, at: { line: number; col: number }): Promise<void> {
    if (this.finding && this.finding.file === file && this.finding.line === at.line) return;
    const finding = onLine(this.inOrder, file, at.line)[0];
    if (finding) return this.choose(finding);
    const files = this.files.map(({ name, text }) => ({ name, text }));
    const reply = await studio.engine.call('design.at', { files, file, ...at }).catch((err: unknown) => {
      if (err instanceof Superseded || err instanceof EngineError) return null;
      throw err;
    });
    if (!reply || this.active !== file || this.cursor.line !== at.line) return;
    this.finding = null;
    this.path = reply.path;
  }

  /** Goes to the next finding from the cursor, or to the one before it. */
  step(forward: boolean): void {
    const to = nextFinding(this.inOrder, this.files.map((file) => file.name), { file: this.active, ...this.cursor }, this.finding, forward);
    if (to) this.choose(to, true, this.editor?.hasFocus() ?? false);
    else this.said = 'no findings';
  }

  /** Writes a fix into the files, on any page: where the editor does not have them, the design is replaced. */
  applyFix(fix: Fix): void {
    if (this.editor && this.#inEditor === this.generation) this.editor.apply(fix.edits);
    else this.replace({ ...this.#current(), files: withEdits(this.#current().files, fix.edits) });
    this.said = `written: ${fix.title}`;
  }

  /** Writes several fixes that were found together. Where two would change one place, the first is written. */
  applyFixes(fixes: readonly Fix[]): void {
    const edits: Edit[] = [];
    for (const fix of fixes) if (!fix.edits.some((edit) => edits.some((other) => meet(edit, other)))) edits.push(...fix.edits);
    this.editor?.apply(edits);
    this.said = `${counted(fixes.length, 'fix', 'fixes')} written`;
  }

  /** Lays the open file out in the usual way. */
  async format(): Promise<void> {
    const name = this.active;
    const text = this.editor?.text(name) ?? '';
    try {
      const reply = await studio.engine.call('design.format', { name, text });
      if (this.editor?.text(name) !== text) return; // typed on meanwhile
      if (!reply.formatted) studio.notice = `${name} is not formatted: ${reply.findings[0]?.message ?? 'it cannot be read'}.`;
      else if (reply.changed) this.editor.write(name, reply.text);
      this.said = reply.formatted ? (reply.changed ? `${name} formatted` : `${name} is formatted already`) : '';
    } catch (err) {
      if (err instanceof EngineError) studio.notice = `${name} is not formatted: ${err.message}`;
      else if (!(err instanceof Superseded)) throw err;
    }
  }

  /** Gives up the check that is running; what is shown stays. */
  cancel(): void {
    this.#run++;
    this.slow = false;
    this.fault = 'Stopped before it was done; this is the result before the last edit.';
    studio.engine.restart();
  }

  /** The address that carries the design; throws when it is too large for one. */
  async link(): Promise<string> {
    await this.#save();
    if (this.kept !== 'link') throw new Error('too long for a link');
    return new URL(`#/design?s=${this.#encoded}`, location.href).href;
  }

  /** The files as they are being edited. */
  current(): readonly DesignFile[] {
    return this.#current().files;
  }

  #current(): SharedDesign {
    const text = (file: DesignFile) => (this.#inEditor === this.generation ? this.editor?.text(file.name) : null) ?? file.text;
    return { files: this.files.map((file) => ({ name: file.name, text: text(file) })), active: this.active, target: this.target };
  }

  #remembered(): Replaced {
    return { ...this.#current(), memory: this.editor?.memory() ?? new Map() };
  }

  #remember(): void {
    this.#past.push(this.#remembered());
    if (this.#past.length > maxReplaced) this.#past.shift();
    this.#future = [];
  }

  #show(design: SharedDesign, memory: EditorMemory | null): void {
    this.files = design.files;
    this.active = design.active;
    this.target = design.target;
    this.#memory = memory;
    this.finding = null;
    this.path = '';
    this.before = null;
    [this.unfolded, this.allUnfolded, this.simulated] = [[], false, null];
    this.#fresh = true;
    this.generation++;
    this.canUndo = this.#past.length > 0;
    this.canRedo = this.#future.length > 0;
    this.#changed(0);
  }

  #changed(pause: number): void {
    this.stale = this.report !== null;
    this.said = '';
    this.#ahead.stop();
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#save(), savePause);
    clearTimeout(this.#judging);
    // At once: the engine works while the page is drawn.
    if (pause === 0 && !this.empty) void this.#judge();
    else this.#judging = setTimeout(() => void this.#judge(), pause);
  }

  async #judge(): Promise<void> {
    this.files = this.#current().files;
    const run = ++this.#run;
    const slow = setTimeout(() => (this.slow = true), 500);
    const from = performance.now();
    try {
      const files = this.files.map(({ name, text }) => ({ name, text }));
      const check = studio.engine.call('design.check', { files, target: this.target }).then((report) => ({ report, took: performance.now() - from }));
      const [{ report, took }, outline] = await Promise.all([check, studio.engine.call('design.outline', { files })]);
      const early = this.#editedAt + halfWord - performance.now();
      if (early > 0 && this.report !== null && unread(report)) await new Promise((go) => setTimeout(go, early));
      if (run !== this.#run) return;
      this.#take(report, outline, took);
      await this.#draw(run);
      if (run === this.#run && !this.stale) this.#lookAhead();
    } catch (err) {
      if (err instanceof Superseded || run !== this.#run) return;
      this.fault = err instanceof EngineError ? err.message : String(err);
    } finally {
      clearTimeout(slow);
      if (run === this.#run) this.slow = false;
    }
  }

  #take(report: CheckReply, outline: OutlineReply, took: number): void {
    // An editor in which nothing has been written yet is no fault.
    if (this.empty) report = { ...report, findings: [], counts: { ...report.counts, errors: 0 } };
    const before = this.finding && findingKey(this.finding);
    if (!unread(report) || this.empty) this.before = null;
    else if (!this.#fresh && this.report && !unread(this.report)) this.before = { report: this.report, at: this.checked! };
    this.#fresh = false;
    this.report = report;
    this.took = took;
    this.checked = new Date();
    this.fault = '';
    this.stale = false;
    // A text that cannot be read has no outline: the drawing before it stays.
    this.graphBefore = this.before !== null && outline.streams.length + outline.publishers.length === 0 && this.outline !== null;
    if (!this.graphBefore) this.outline = outline;
    this.finding = (before && report.findings.find((finding) => findingKey(finding) === before)) || null;
  }

  /** Asks for the topology of what was judged last. */
  async #draw(run: number): Promise<void> {
    if (this.graphBefore) return;
    const files = this.files.map(({ name, text }) => ({ name, text }));
    const graph = await studio.engine.call('design.graph', { files, target: this.target, open: [...this.unfolded], all: this.allUnfolded });
    if (run === this.#run) this.graph = graph;
  }

  #lookAhead(): void {
    const design = { files: this.files.map(({ name, text }) => ({ name, text })), requests: this.report?.requests ?? 0, editedAt: this.#editedAt };
    void this.#ahead.judge(design, ['', ...this.versions], this.presets.map((preset) => preset.text));
  }

  /** Opens or folds the consumers of a stream, or of all. */
  async unfold(open: { stream: string } | { all: boolean }): Promise<void> {
    if ('all' in open) [this.allUnfolded, this.unfolded] = [open.all, []];
    else this.unfolded = [...this.unfolded, open.stream];
    await this.#draw(this.#run).catch((err: unknown) => {
      if (!(err instanceof Superseded)) throw err;
    });
  }

  /** Whether this tab wrote a state into the address, so that there is nothing to open. */
  #isOurs(state: string): boolean {
    return state === this.#encoded || state === this.#inAddress;
  }

  #toAddress(): void {
    const { route } = studio;
    if (route.page !== 'design') return;
    // The address asks for another design, and the page that opens it may still be loading: it must not be overwritten.
    const asks = route.preset !== '' || (route.state !== '' && !this.#isOurs(route.state));
    if (asks && route !== this.#followed) return;
    this.#inAddress = this.#encoded;
    studio.showDesign(this.#encoded);
  }

  async #save(): Promise<void> {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (!this.opened) return;
    const run = ++this.#saveRun;
    const design = this.#current();
    const large = design.files.reduce((sum, file) => sum + file.text.length, 0) > maxEncoded;
    const nothing = this.empty && this.files.length === 1;
    const encoded = large || nothing ? '' : await encode(toShared(design));
    if (run !== this.#saveRun) return;
    const inBrowser = encoded !== '' && encoded.length <= maxKept && this.work.write(encoded);
    if (!inBrowser) this.work.forget();
    this.#encoded = encoded.length <= maxLink ? encoded : '';
    this.kept = nothing || this.#encoded !== '' ? 'link' : inBrowser ? 'browser' : 'nowhere';
    this.#toAddress();
  }
}

/** Whether a report is of a text of which nothing could be read. */
/** Whether a text could not be read as a design: nothing is judged of it then. */
export const unread = (report: CheckReply) => report.requests === 0 && report.counts.errors > 0;

/** The first of the worst findings, null of none. */
const worst = (findings: readonly Finding[]) => bySeverity(findings)[0]?.findings[0] ?? null;

/** Whether two edits change one place. */
function meet(a: Edit, b: Edit): boolean {
  const before = (line: number, col: number, line2: number, col2: number) => line < line2 || (line === line2 && col < col2);
  return a.file === b.file && before(a.line, a.col, b.end_line, b.end_col + 1) && before(b.line, b.col, a.end_line, a.end_col + 1);
}

function emptyDesign(): SharedDesign {
  return oneFile('');
}

/** A design of one text. */
function oneFile(text: string): SharedDesign {
  return { files: [{ name: firstName, text }], active: firstName, target: '' };
}

/** A design that this browser kept, null when it cannot be read. */
async function readable(text: string): Promise<SharedDesign | null> {
  try {
    return fromShared(await decode(text));
  } catch (err) {
    console.warn('weir: the design that this browser kept cannot be read', err);
    return null;
  }
}

/** The workbench of this tab. */
export const bench = new Bench();
