// Where the names of a chart's limits and faults stand: none on another.

/** A place of a name, in px of the drawing. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const meet = (a: Box, b: Box) => a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

/** The places that are taken of one drawing. */
export class Places {
  #taken: Box[] = [];

  /** Takes the first of some places that is free; undefined where none is. */
  take(places: readonly Box[]): Box | undefined {
    const free = places.find((place) => !this.#taken.some((other) => meet(place, other)));
    if (free) this.#taken.push(free);
    return free;
  }
}
