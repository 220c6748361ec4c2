// The page's side of the real nats-server: loaded when it is first wanted, one
// worker, which can be ended at any time and started anew.
import { EngineError } from '../engine/client';
import { hostKind, server as program } from '../engine/fetch';
import type { FromServer, ToServer } from './messages';
import type { Methods } from './types';

/** What the server is doing. Bytes are those of the program, decoded; total is 0 while it is not known. */
export type ServerState =
  | { is: 'away' }
  | { is: 'loading'; bytes: number; total: number }
  | { is: 'starting' }
  | { is: 'ready' }
  | { is: 'failed'; message: string };

/** How far a call is; total is 0 while that is not known. */
export interface Doing {
  done: number;
  total: number;
  what: string;
}

/** Ended is thrown to callers whose server was ended from the page. */
export class Ended extends Error {
  constructor() {
    super('the server was ended, and what it stored is gone');
    this.name = 'Ended';
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(err: Error): void;
  progress: (doing: Doing) => void;
}

class TabServer {
  state = $state.raw<ServerState>({ is: 'away' });
  /** From the first byte wanted until it answered, in ms; 0 before. */
  readyAfter = $state(0);
  /** The part of readyAfter after the program was compiled, in ms. */
  startedAfter = $state(0);
  /** What lay in its files after the last call: nothing, when runs clean up. */
  left = $state.raw({ files: 0, bytes: 0, open: 0 });

  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #lastID = 0;
  #from = 0;
  #compiled = 0;

  /** Begins to load it, if that has not happened. */
  load(): void {
    if (this.#worker) return;
    this.#from = performance.now();
    this.state = { is: 'loading', bytes: 0, total: program.bytes };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'weir-server' });
    this.#worker.onmessage = ({ data }: MessageEvent<FromServer>) => this.#take(data);
    this.#worker.onerror = (event) => this.#fail(event.message || 'the worker did not start');
    this.#say({ kind: 'start', base: new URL('.', document.baseURI).href, host: hostKind() });
  }

  /** Calls a method, loading the server if need be. An aborted call still answers, with what it has so far. */
  call<M extends keyof Methods>(method: M, req: Methods[M]['req'], opt: { signal?: AbortSignal; progress?: (doing: Doing) => void } = {}): Promise<Methods[M]['res']> {
    this.load();
    const id = ++this.#lastID;
    opt.signal?.addEventListener('abort', () => this.#waiting.has(id) && this.#say({ kind: 'cancel', id }), { once: true });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, progress: opt.progress ?? (() => {}) });
      this.#say({ kind: 'call', id, method, req: req as Record<string, unknown> });
    });
  }

  /** Ends the worker at once, with its servers and all that they stored. */
  end(): void {
    this.#drop();
    this.state = { is: 'away' };
    this.#settleAll(new Ended());
  }

  /** Ends it and loads it anew. */
  restart(): void {
    this.end();
    this.load();
  }

  #say(message: ToServer): void {
    this.#worker?.postMessage(message);
  }

  #drop(): void {
    if (this.#worker) {
      // What it said before it ended may still be on its way, such as a timer that finds Go gone.
      this.#worker.onmessage = this.#worker.onerror = null;
      this.#worker.terminate();
    }
    this.#worker = null;
    this.left = { files: 0, bytes: 0, open: 0 };
  }

  #take(message: FromServer): void {
    switch (message.kind) {
      case 'loading':
        this.state = { is: 'loading', bytes: message.bytes, total: message.total };
        return;
      case 'compiled':
        this.#compiled = performance.now();
        this.state = { is: 'starting' };
        return;
      case 'ready':
        this.readyAfter = performance.now() - this.#from;
        this.startedAfter = performance.now() - this.#compiled;
        this.state = { is: 'ready' };
        return;
      case 'failed':
        return this.#fail(message.message);
      case 'progress':
        return this.#waiting.get(message.id)?.progress(message);
      case 'reply':
        this.left = message.files;
        return this.#settle(message.id)?.resolve(message.ok);
      case 'fault':
        return this.#settle(message.id)?.reject(new EngineError(message.fault));
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #settleAll(err: Error): void {
    const dropped = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of dropped) waiting.reject(err);
  }

  #fail(message: string): void {
    this.#drop();
    this.state = { is: 'failed', message };
    this.#settleAll(new EngineError({ code: 'not_loaded', message }));
  }
}

/** The server of this tab. */
export const tabServer = new TabServer();
