// The figure whose working a panel shows. Panels with figures make one of these
// and draw a Working beside their numbers; figures below find it by context.
import { createContext } from 'svelte';
import type { Figure } from './figure';

export class WorkingPlace {
  /** Chosen by a click: it stays. */
  pinned = $state.raw<Figure | null>(null);
  /** Under the pointer or the focus. */
  over = $state.raw<Figure | null>(null);

  /** What is shown now. */
  get shown(): Figure | null {
    return this.over ?? this.pinned;
  }

  /** Pins a figure; twice lets it go. */
  pin(figure: Figure): void {
    this.pinned = this.pinned === figure ? null : figure;
  }
}

const [getPlace, setPlace] = createContext<WorkingPlace>();

/** Makes the place for the working of a panel's figures; fetch brings terms that were left out. */
export function workingPlace(): WorkingPlace {
  return setPlace(new WorkingPlace());
}
export { getPlace };
