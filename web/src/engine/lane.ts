/** Superseded is thrown to a caller whose call a newer one of the same lane has replaced. */
export class Superseded extends Error {
  constructor() {
    super('a newer call took its place');
    this.name = 'Superseded';
  }
}

/** Lane runs one task at a time and keeps one waiting: the newest. A task that was waiting when a newer one came never runs. */
export class Lane {
  #active = false;
  #next: { start: () => void; drop: () => void } | null = null;

  /** Runs task now or as soon as the active one has ended. Rejects with Superseded when a newer task took its place. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        this.#active = true;
        task().then(resolve, reject).finally(() => this.#advance());
      };
      if (!this.#active) return start();
      this.#next?.drop();
      this.#next = { start, drop: () => reject(new Superseded()) };
    });
  }

  #advance(): void {
    this.#active = false;
    const next = this.#next;
    this.#next = null;
    next?.start();
  }
}
