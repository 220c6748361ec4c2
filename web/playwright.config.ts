import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { staticPort, staticURL, studioPort, studioURL } from './e2e/hosts';

if (!existsSync('../bin/weir')) throw new Error('bin/weir is missing: run `make studio-build` first');

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 1,
  // A test that passes only on its second try is reported as flaky, and shows that a wait is missing.
  retries: process.env.CI || process.env.WEIR_CI ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: studioURL,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      ],
    },
  },
  // The studio as it is shipped, and the exported site on a host that negotiates nothing.
  webServer: [
    { command: `../bin/weir studio --no-open --addr 127.0.0.1:${studioPort}`, url: studioURL, reuseExistingServer: false },
    {
      command: `../bin/weir studio --export exported --force && npx vite preview --host 127.0.0.1 --port ${staticPort} --strictPort --outDir exported`,
      url: staticURL, reuseExistingServer: false,
    },
  ],
});
