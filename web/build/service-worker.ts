import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** One file of the site that the service worker keeps. */
interface PrecacheEntry {
  url: string;
  /** Digest of the content; null when the name holds it already. */
  revision: string | null;
}

/** The engine and the server are kept by their own code (src/engine/fetch.ts): they may exist compressed only, and the server is loaded when it is first wanted. */
const kept = (name: string) => !/^(engine|server)\.wasm/.test(name) && !/\.(map|br|gz)$/.test(name) && name !== 'sw.js';

/** Lists the files of a built site, sorted by name. */
export function precacheList(dir: string): PrecacheEntry[] {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(kept)
    .sort();
  return names.map((url) => ({
    url,
    revision: /^assets\/.+-[\w-]{8}\.\w+$/.test(url) ? null : createHash('sha256').update(readFileSync(join(dir, url))).digest('hex').slice(0, 16),
  }));
}

/** Builds src/offline/service-worker.ts to sw.js with the list of the files beside it. */
export function serviceWorker(define: Record<string, string>): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'weir:service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const dir = join(config.root, config.build.outDir);
        if (!existsSync(dir)) return; // the build failed, and says why itself
        await build({
          root: config.root,
          configFile: false,
          publicDir: false,
          logLevel: 'warn',
          define: { ...define, __PRECACHE__: JSON.stringify(precacheList(dir)) },
          build: {
            outDir: dir,
            emptyOutDir: false,
            target: 'es2023',
            rollupOptions: { input: join(config.root, 'src/offline/service-worker.ts'), output: { format: 'iife', entryFileNames: 'sw.js' } },
          },
        });
      },
    },
  };
}
