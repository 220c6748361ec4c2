import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** The module that makes the engine of the page. */
const module = 'src/engine/first.ts';

/**
 * Makes the engine's own module a file of its own and names it in the head of the
 * page: the engine's program, which is most of what a first visit waits for,
 * begins to load before the studio's code is there.
 */
export function engineFirst(root: string): Plugin {
  const id = join(root, module);
  return {
    name: 'weir:engine-first',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id, name: 'first' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
        const first = chunks.find((chunk) => chunk.moduleIds.includes(id));
        if (!first) throw new Error(`${module} is no file of its own`);
        // async: it waits neither for style sheets nor for the rest of the page. Last: it reads the page's meta elements.
        return [{ tag: 'script', attrs: { type: 'module', async: true, crossorigin: true, src: `./${first.fileName}` }, injectTo: 'head' }];
      },
    },
  };
}
