// The pages of the showdowns, made by Go ahead of time (go generate
// ./internal/docs): each is a file of its own that is loaded when it is opened.
import type { ShowdownPage } from '../engine/showdowns/types';

const files = import.meta.glob<{ default: unknown }>('../engine/showdowns/*.json');

/** The page of a name. */
export async function loadShowdown(name: string): Promise<ShowdownPage> {
  const load = files[`../engine/showdowns/${name}.json`];
  if (!load) throw new Error(`${name} is not a showdown`);
  return (await load()).default as ShowdownPage;
}
