// `make performance`: one measurement of the studio in Chromium, no test. It fails
// on nothing but a studio that does not work; figures depend on the machine.
import config from './playwright.config';

export default { ...config, testDir: 'performance', testMatch: 'measure.ts', timeout: 1_200_000, retries: 0, use: { ...config.use, trace: 'off' as const } };
