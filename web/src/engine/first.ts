// The engine of the page, begun before the rest of the studio's code is there:
// its program is most of what a first visit waits for.
import { Engine } from './client';

/** The engine that answers what is being edited. */
export const firstEngine = new Engine();
