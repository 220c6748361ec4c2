// What the form of a node asks of the engine. Values are written as fixes are:
// edits of the text, one step of undo each.
import { EngineError, Superseded } from '../../engine/client';
import type { FormReply } from '../../engine/types';
import { studio } from '../../state/studio.svelte';
import { bench } from '../bench.svelte';

const plain = () => bench.current().map(({ name, text }) => ({ name, text }));

/** The form of a path; null when a newer question took its place. */
export async function askForm(path: string): Promise<FormReply | null> {
  try {
    return await studio.engine.call('design.form', { files: plain(), path, target: bench.target });
  } catch (err) {
    if (err instanceof Superseded || err instanceof EngineError) return null;
    throw err;
  }
}

/** Writes a value, or adds a part; what is in the way otherwise, '' for nothing. */
export async function writeField(what: { path: string; value: string } | { add: string }): Promise<string> {
  const files = plain();
  try {
    const { fix, problem, path } = await studio.engine.call('design.set', { files, ...what });
    if (!fix) return problem ?? '';
    const now = plain();
    if (now.some((file, i) => file.text !== files[i]?.text)) return 'the text was edited meanwhile: write it again';
    bench.applyFix(fix);
    bench.path = path;
    return '';
  } catch (err) {
    if (err instanceof Superseded) return '';
    if (err instanceof EngineError) return err.message;
    throw err;
  }
}
