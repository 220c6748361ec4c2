import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { program } from './build/programs.ts';
import { serviceWorker } from './build/service-worker.ts';
import { engineFirst } from './build/engine-first.ts';

export default defineConfig(({ command }) => {
  const of = (file: string) => program(import.meta.dirname, file, command === 'build');
  const define = { __PROGRAMS__: JSON.stringify({ engine: of('engine.wasm'), server: of('server.wasm') }) };
  return {
    base: './',
    define,
    plugins: [svelte(), engineFirst(import.meta.dirname), serviceWorker(define)],
    worker: { format: 'es' },
    build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, rollupOptions: { checks: { pluginTimings: false } } },
  };
});
