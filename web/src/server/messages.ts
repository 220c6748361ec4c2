// What the page and the server's worker say to each other.
import type { Host } from '../engine/fetch';
import type { Fault } from '../engine/messages';

export type ToServer =
  | { kind: 'start'; base: string; host: Host }
  | { kind: 'call'; id: number; method: string; req: Record<string, unknown> }
  | { kind: 'cancel'; id: number };

export type FromServer =
  | { kind: 'loading'; bytes: number; total: number }
  | { kind: 'compiled' }
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  | { kind: 'progress'; id: number; done: number; total: number; what: string }
  | { kind: 'reply'; id: number; ok: unknown; files: { files: number; bytes: number; open: number } }
  | { kind: 'fault'; id: number; fault: Fault };
