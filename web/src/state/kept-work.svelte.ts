// One work that this browser keeps for several tabs: each tab has its own copy,
// a new tab goes on with that of the tab that wrote last, and a tab hears when
// another one changed the same work. Nothing is overwritten without a word: what
// another work takes the place of is kept once more.
import { forgetWork, readKept, readOwn, readWork, writeKept, writeOwn, writeWork } from './kept';

interface Entry {
  /** What tells a work from another; tabs that went on from one text have one. '' of an older studio. */
  id: string;
  text: string;
}

export class KeptWork {
  /** What another tab made of the same work, null while both are the same. */
  other = $state.raw<string | null>(null);
  /** The work that was kept before this one, null without one. */
  before = $state.raw<string | null>(null);
  readonly #key: string;
  #id = newId();
  /** The text that this tab read or wrote last. */
  #text: string | null = null;

  constructor(key: string) {
    this.#key = key;
    addEventListener('storage', (event) => event.key === key && this.#heard(event.newValue));
  }

  /** The work that this tab had, else the one that was used last. */
  read(): string | null {
    const entry = parse(readWork(this.#key));
    if (!entry) return null;
    this.#id = entry.id || this.#id;
    this.#text = entry.text;
    // Another tab may have gone on while this one was away.
    if (readOwn(this.#key) !== null) this.#heard(readKept(this.#key));
    this.before = parse(readKept(`${this.#key}.before`))?.text ?? null;
    return entry.text;
  }

  /** Keeps the work of this tab; false when it could not be. */
  write(text: string): boolean {
    if (this.other === text) this.other = null;
    const last = parse(readKept(this.#key));
    // Only who changed something is the last that used it.
    const changed = text !== this.#text || last === null;
    if (!changed && readOwn(this.#key) !== null) return true;
    // That of another work, and what another tab made of this one, which may be closed by now.
    const others = last !== null && last.text !== text && (last.id !== this.#id || last.text === this.other);
    if (changed && others && writeKept(`${this.#key}.before`, format(last))) this.before = last.text;
    this.#text = text;
    const entry = format({ id: this.#id, text });
    return changed ? writeWork(this.#key, entry) : writeOwn(this.#key, entry);
  }

  /** Forgets the work of this tab. */
  forget(): void {
    forgetWork(this.#key);
    this.#text = null;
    this.other = null;
  }

  /** This tab turns to another work, or goes on by itself: what others make of the one before is theirs. */
  part(): void {
    this.#id = newId();
    this.#text = null;
    this.other = null;
  }

  #heard(raw: string | null): void {
    const entry = parse(raw);
    if (entry?.id === this.#id) this.other = entry.text === this.#text ? null : entry.text;
  }
}

// Encoded works have no point in them.
const format = ({ id, text }: Entry): string => `${id}.${text}`;

function parse(raw: string | null): Entry | null {
  if (raw === null) return null;
  const at = raw.indexOf('.');
  return { id: raw.slice(0, Math.max(at, 0)), text: raw.slice(at + 1) };
}

function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36).padStart(2, '0')).join('');
}
