// The studio's state: what is open, what the lab holds, and where both are kept
// (the location's hash and this browser's storage).
import type { EngineState } from '../engine/client';
import { firstEngine } from '../engine/first';
import type { About } from '../engine/types';
import { ends, seen } from '../layout/tokens';
import { decode, encode } from './codec';
import { History } from './history';
import { forgetWork, readWork, writeWork } from './kept';
import { exampleLab, fromShared, OtherFormat, toShared, type LabState } from './lab';
import { formatHash, parseHash, type Panel, type Route } from './route';

/** The longest state that goes into a link, in characters; browsers and chat programs cut longer ones. */
export const maxLink = 32_000;
/** The largest state that is kept in this browser, in characters. */
export const maxKept = 2_000_000;
/** Beyond this many characters of lists nothing is encoded at all. */
export const maxEncoded = 8_000_000;

const storageKey = 'weir.lab';

/** Where the lab survives: in the link, only in this browser, or nowhere because it is too large. */
export type Kept = 'link' | 'browser' | 'nowhere';

class Studio {
  engine = firstEngine;
  engineState = $state.raw<EngineState>({ is: 'loading', bytes: 0, total: 0 });
  about = $state.raw<About | null>(null);
  route = $state.raw<Route>(parseHash(location.hash));
  /** null until the engine has said with what a new lab opens. */
  lab = $state.raw<LabState | null>(null);
  canUndo = $state(false);
  canRedo = $state(false);
  kept = $state<Kept>('link');
  /** One sentence about something that went wrong, '' when nothing did. */
  #notice = $state('');
  get notice(): string {
    return this.#notice;
  }
  set notice(text: string) {
    this.#notice = text;
    this.#noticed = addressOfPage(location.hash);
  }
  /** The page that the notice was said on. */
  #noticed = '';
  /** An open dialog. */
  dialog = $state<'palette' | 'keys' | 'about' | 'import' | null>(null);

  #history: History<LabState> | null = null;
  #encoded = '';
  /** What the example encodes to: the address of an untouched lab stays short. */
  #example = '';
  #saving: ReturnType<typeof setTimeout> | undefined;
  #saveRun = 0;
  /** The location's hash when it was last read or written. */
  #hash = location.hash;

  constructor() {
    this.engine.watch((state) => (this.engineState = state));
    addEventListener('hashchange', () => void this.#follow());
    addEventListener('pagehide', () => clearTimeout(this.#saving));
    void this.#open();
  }

  /** The panel that is open, null outside the lab. */
  get panel(): Panel | null {
    return this.route.page === 'subjects' ? this.route.panel : null;
  }

  /** Replaces parts of the lab. Edits of one key in quick succession are one step of undo. */
  edit(patch: Partial<LabState>, key = ''): void {
    if (!this.#history) return;
    this.#history.push({ ...this.#history.value, ...patch }, key);
    this.#show();
  }

  undo(): void {
    this.#history?.undo();
    this.#show();
  }

  redo(): void {
    this.#history?.redo();
    this.#show();
  }

  /** Fills the lists with the textbook example. */
  loadExample(): void {
    const { patterns, subjects } = this.about?.examples ?? { patterns: [], subjects: [] };
    this.edit({ patterns: patterns.join('\n'), subjects: subjects.join('\n') });
  }

  goTo(page: 'start' | 'design' | Panel): void {
    location.hash = this.hrefOf(page);
  }

  /** The address of a page, without state: going there keeps what the lab holds. */
  hrefOf(page: 'start' | 'design' | Panel): string {
    if (page === 'design') return formatHash({ page, preset: '', panel: '', state: '' });
    return page === 'start' ? '#/' : formatHash({ page: 'subjects', panel: page, state: '' });
  }

  /** Brings the hash up to date and returns the address to share; throws when the lab is too large for a link. */
  async link(): Promise<string> {
    clearTimeout(this.#saving);
    await this.#save();
    if (this.route.page === 'subjects' && this.kept !== 'link') throw new Error('too long for a link');
    const hash = this.route.page === 'subjects' ? formatHash({ ...this.route, state: this.#encoded }) : location.hash;
    return new URL(hash, location.href).href;
  }

  /** Asks the engine what a lab opens with, and opens what the link, this browser or the example holds. */
  async #open(): Promise<void> {
    try {
      this.about = await this.engine.call('about', {});
    } catch {
      return; // engineState tells why
    }
    const example = exampleLab(this.about.examples.patterns, this.about.examples.subjects);
    this.#example = await encode(toShared(example));
    const fromLink = await this.#readLink();
    const opened = fromLink ?? (await keptLab()) ?? example;
    this.#history = new History(opened);
    this.#show();
  }

  async #readLink(): Promise<LabState | null> {
    if (this.route.page === 'unknown') {
      this.notice = `There is no page ${seen(ends(this.route.path, 80, 60, 10))}; this is the start page.`;
      this.#setRoute({ page: 'start', state: '' });
      return null;
    }
    if (this.route.page === 'design' || this.route.state === '') return null; // the workbench reads its own
    try {
      return fromShared(await decode(this.route.state));
    } catch (err) {
      this.notice = `The link holds no lab that can be read${err instanceof OtherFormat ? `: ${err.message}` : ': it was cut or changed on its way'}. The lab is as this browser had it.`;
      this.#setRoute({ ...this.route, state: '' });
      return null;
    }
  }

  /** The hash was changed from outside: by a link of the page, by going back, or by a pasted address. */
  async #follow(): Promise<void> {
    this.#hash = location.hash;
    if (this.notice !== '' && addressOfPage(this.#hash) !== this.#noticed) this.notice = '';
    this.route = parseHash(this.#hash);
    if (this.route.page !== 'unknown' && this.route.state !== '' && this.route.state === this.#encoded) return;
    const other = await this.#readLink();
    if (other && this.#history) {
      this.#history.push(other);
      this.#show();
    } else this.#writeHash();
  }

  #show(): void {
    if (!this.#history) return;
    this.lab = this.#history.value;
    this.canUndo = this.#history.canUndo;
    this.canRedo = this.#history.canRedo;
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => void this.#save(), 300);
  }

  async #save(): Promise<void> {
    const lab = this.lab;
    if (!lab) return;
    const run = ++this.#saveRun;
    const large = lab.patterns.length + lab.subjects.length + lab.partition.keys.length > maxEncoded;
    const encoded = large ? null : await encode(toShared(lab));
    if (run !== this.#saveRun) return;
    const inBrowser = encoded !== null && encoded.length <= maxKept && writeWork(storageKey, encoded);
    this.#encoded = encoded !== null && encoded.length <= maxLink ? encoded : '';
    this.kept = this.#encoded !== '' ? 'link' : inBrowser ? 'browser' : 'nowhere';
    if (!inBrowser) forgetWork(storageKey);
    this.#writeHash();
  }

  #writeHash(): void {
    if (this.route.page === 'subjects') this.#setRoute({ ...this.route, state: this.#encoded === this.#example ? '' : this.#encoded });
  }

  /** Makes state the one that the address of the workbench carries. */
  showDesign(state: string): void {
    if (this.route.page === 'design' && (this.route.preset !== '' || this.route.panel !== '' || this.route.state !== state)) this.#setRoute({ page: 'design', preset: '', panel: '', state });
  }

  /** Makes values those that the address of a listed page carries; they are no step back. */
  showValues(values: Record<string, string>): void {
    if (this.route.page === 'listed') this.#setRoute({ ...this.route, values });
  }

  #setRoute(route: Exclude<Route, { page: 'unknown' }>): void {
    // Somebody goes elsewhere, and the event that says so is still to come: that place must not be overwritten.
    if (location.hash !== this.#hash) return;
    this.route = route;
    const hash = formatHash(route);
    if (location.hash !== hash) history.replaceState(null, '', hash);
    this.#hash = location.hash;
  }
}

/** What tells a page from another in a hash: neither its values nor what it holds. */
function addressOfPage(hash: string): string {
  const route = parseHash(hash);
  return route.page === 'listed' ? `${route.group}/${route.name}` : route.page === 'unknown' ? route.path : route.page;
}

async function keptLab(): Promise<LabState | null> {
  const text = readWork(storageKey);
  try {
    return text === null ? null : fromShared(await decode(text));
  } catch (err) {
    console.warn('weir: the lab that this browser kept cannot be read', err);
    return null;
  }
}

/** The studio of this tab. */
export const studio = new Studio();
