import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { engineBuild } from './build/engine-build.ts';
import { serviceWorker } from './build/service-worker.ts';

export default defineConfig(({ command }) => {
  const define = { __ENGINE__: JSON.stringify(engineBuild(import.meta.dirname, command === 'build')) };
  return {
    base: './',
    define,
    plugins: [svelte(), serviceWorker(define)],
    worker: { format: 'es' },
    build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, rollupOptions: { checks: { pluginTimings: false } } },
  };
});
