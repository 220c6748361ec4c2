// Keeps the site for offline use. Files are taken from the list that the build
// wrote; a new version is fetched whole, waits until no tab needs the old one or
// until a tab asks for it, and then replaces it.
import { cleanupOutdatedCaches, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { dropOtherPrograms, engine, keepProgram } from '../engine/fetch';

declare const __PRECACHE__: PrecacheEntry[];

interface Scope {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listen: (event: { waitUntil(work: Promise<unknown>): void }) => void): void;
  addEventListener(type: 'message', listen: (event: MessageEvent) => void): void;
}

const scope = self as unknown as Scope;

cleanupOutdatedCaches();
precacheAndRoute(__PRECACHE__, { ignoreURLParametersMatching: [/^v$/] });

// The tab that registers has usually kept the engine already; otherwise the
// version would be installed without the engine it needs.
scope.addEventListener('install', (event) => event.waitUntil(keepProgram(scope.registration.scope, engine, 'negotiate')));
scope.addEventListener('activate', (event) => event.waitUntil(takeOver()));
scope.addEventListener('message', (event) => {
  if (event.data === 'take-over') void scope.skipWaiting();
});

async function takeOver(): Promise<void> {
  await dropOtherPrograms(scope.registration.scope);
  await scope.clients.claim();
}
