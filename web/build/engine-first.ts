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
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
        const first = chunks.find((chunk) => chunk.moduleIds.includes(id));
        if (!first) throw new Error(`${module} is no file of its own`);
        const before = /<script[^>]*theme\.js/;
        if (!before.test(html)) throw new Error('index.html has no theme.js');
        // async: it waits neither for style sheets nor for the rest of the page. Behind the page's meta elements, which it reads, and before the first script that the page waits for.
        return html.replace(before, `<script type="module" async crossorigin src="./${first.fileName}"></script>\n    $&`);
      },
    },
  };
}
