/** The steps that History keeps. */
const maxSteps = 200;

/** History is a value with undo and redo. Values are never changed in place. */
export class History<T> {
  #past: T[] = [];
  #future: T[] = [];
  #value: T;
  #run: { key: string; at: number } | null = null;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Makes value the present. Edits with the same key less than a second apart are one step; an empty key is always a step of its own. */
  push(value: T, key = '', now = performance.now()): void {
    const joins = key !== '' && this.#run !== null && this.#run.key === key && now - this.#run.at < 1000;
    if (!joins) {
      this.#past.push(this.#value);
      if (this.#past.length > maxSteps) this.#past.shift();
    }
    this.#run = { key, at: now };
    this.#future = [];
    this.#value = value;
  }

  undo(): void {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.#value);
    this.#value = before;
    this.#run = null;
  }

  redo(): void {
    const after = this.#future.pop();
    if (after === undefined) return;
    this.#past.push(this.#value);
    this.#value = after;
    this.#run = null;
  }
}
