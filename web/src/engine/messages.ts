// What the page and the engine's worker say to each other.
import type { Host } from './fetch';
import type { PackedMatrix } from './matrix';

/** A call. Fields named in lists are texts that the worker splits into lines. */
export interface CallMessage {
  kind: 'call';
  id: number;
  method: string;
  req: Record<string, unknown>;
  lists: Record<string, string>;
  /** Progress is reported while it runs. */
  reports?: boolean;
}

/** How far a call is, in steps of what it counts. */
export interface Progress {
  done: number;
  total: number;
  what: string;
}

/** A call of subject.matrix, whose reply comes as PackedMatrix. */
export interface MatrixMessage {
  kind: 'matrix';
  id: number;
  patterns: string;
  subjects: string;
}

/** The first message: where the site lies. */
export interface StartMessage {
  kind: 'start';
  base: string;
}

/** The engine's program, as soon as the page has compiled it. */
export interface ProgramMessage {
  kind: 'program';
  module: WebAssembly.Module;
}

/** Nothing urgent is left to do: the engine is kept for the next visit. */
export interface KeepMessage {
  kind: 'keep';
  base: string;
  host: Host;
}

export type ToWorker = StartMessage | ProgramMessage | KeepMessage | CallMessage | MatrixMessage;

/** Why a call has no reply. Line and col are 1-based, 0 without a place. */
export interface Fault {
  code: string;
  message: string;
  path?: string;
  line?: number;
  col?: number;
}

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'kept' }
  | { kind: 'failed'; message: string }
  | { kind: 'progress'; id: number; progress: Progress }
  | { kind: 'partial'; id: number; ok: unknown }
  | { kind: 'reply'; id: number; ok: unknown }
  | { kind: 'matrix'; id: number; matrix: PackedMatrix }
  | { kind: 'fault'; id: number; fault: Fault };
