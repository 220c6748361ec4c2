// The page's side of the engine: typed calls, one active and one waiting for
// each lane, the newest wins.
import { compileProgram, engine, hostKind } from './fetch';
import { Lane, Superseded } from './lane';
import type { PackedMatrix } from './matrix';
import type { Fault, FromWorker, Progress, ToWorker } from './messages';
import type { Methods } from './types';

/** EngineError is an answer of the engine that a call cannot be done, in words for the reader. */
export class EngineError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
    this.name = 'EngineError';
  }
}

/** What the engine is doing: loading with bytes so far and in all (0: not known), ready, or failed for a reason. */
export type EngineState = { is: 'loading'; bytes: number; total: number } | { is: 'ready' } | { is: 'failed'; message: string };

interface Waiting {
  resolve(value: unknown): void;
  reject(err: Error): void;
  progress?: ((progress: Progress) => void) | undefined;
  partial?: ((reply: unknown) => void) | undefined;
}

/** The engine's program, compiled once for all workers of this page; null before the first of them and after a failure. */
let program: Promise<WebAssembly.Module> | null = null;

/** Where this site lies, and how its host gives out WASM. */
const site = () => ({ base: new URL('.', document.baseURI).href, host: hostKind() });

/** Engine talks to one worker, which it starts when it is made. */
export class Engine {
  #worker!: Worker;
  #waiting = new Map<number, Waiting>();
  #lanes = new Map<string, Lane>();
  #lastID = 0;
  #failure: string | null = null;
  #state: EngineState = { is: 'loading', bytes: 0, total: 0 };
  #watch: (state: EngineState) => void = () => {};
  #kept = () => {};

  constructor() {
    this.#start();
  }

  /** Tells what it is doing, now and whenever that changes. */
  watch(tell: (state: EngineState) => void): void {
    this.#watch = tell;
    tell(this.#state);
  }

  #tell(state: EngineState): void {
    this.#state = state;
    this.#watch(state);
  }

  /** Ends what is running and starts the engine afresh. Calls without a reply are rejected with Superseded. */
  restart(): void {
    this.#worker.terminate();
    this.#kept();
    const dropped = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#start();
    for (const waiting of dropped) waiting.reject(new Superseded());
  }

  #start(): void {
    this.#failure = null;
    this.#tell({ is: 'loading', bytes: 0, total: 0 });
    // The page asks for the program, and not the worker, which takes its time to start.
    const { base, host } = site();
    program ??= compileProgram(base, engine, host, (bytes) => this.#tell({ is: 'loading', bytes, total: engine.bytes }));
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'weir-engine' });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#take(data);
    worker.onerror = (event) => this.#fail(event.message || 'the worker did not start');
    this.#post({ kind: 'start', base });
    program.then(
      (module) => worker.postMessage({ kind: 'program', module } satisfies ToWorker),
      (err: unknown) => {
        program = null;
        if (worker === this.#worker) this.#fail(err instanceof Error ? err.message : String(err));
      },
    );
  }

  /** Keeps the engine's program for the next visit. */
  keep(): Promise<void> {
    return new Promise((kept) => {
      this.#kept = kept;
      this.#post({ kind: 'keep', ...site() });
    });
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Whether it is ready and no call waits. */
  get idle(): boolean {
    return this.#state.is === 'ready' && this.#waiting.size === 0;
  }

  /** Resolves when it is ready and no call has waited for a while: what is not urgent may begin. */
  async quiet(): Promise<void> {
    for (let still = 0; still < 3; ) {
      await new Promise((go) => setTimeout(go, 100));
      still = this.idle ? still + 1 : 0;
    }
  }

  /**
   * Calls a method. Fields given in lists are texts that the worker splits into
   * lines. Calls of one lane (the method's name unless another is given) never
   * overtake each other; one that a newer replaces is rejected with Superseded.
   * Long ones that report progress may give their reply as far as it is known to
   * partial.
   */
  call<M extends keyof Methods>(
    method: M, req: Partial<Methods[M]['req']>,
    opt: { lists?: Record<string, string>; lane?: string; progress?: (progress: Progress) => void; partial?: (reply: Methods[M]['res']) => void } = {},
  ): Promise<Methods[M]['res']> {
    return this.#lane(opt.lane ?? method).run(() =>
      this.#send(
        (id) => ({ kind: 'call', id, method, req: req as Record<string, unknown>, lists: opt.lists ?? {}, reports: opt.progress !== undefined }),
        { progress: opt.progress, partial: opt.partial as ((reply: unknown) => void) | undefined },
      ),
    ) as Promise<Methods[M]['res']>;
  }

  /** Calls subject.matrix with two lists as text, one entry a line. */
  matrix(patterns: string, subjects: string): Promise<PackedMatrix> {
    return this.#lane('subject.matrix').run(() => this.#send((id) => ({ kind: 'matrix', id, patterns, subjects }))) as Promise<PackedMatrix>;
  }

  #lane(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (!lane) this.#lanes.set(name, (lane = new Lane()));
    return lane;
  }

  #send(message: (id: number) => ToWorker, tell: Pick<Waiting, 'progress' | 'partial'> = {}): Promise<unknown> {
    const id = ++this.#lastID;
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(new EngineError({ code: 'not_loaded', message: this.#failure }));
      this.#waiting.set(id, { resolve, reject, ...tell });
      this.#post(message(id));
    });
  }

  #take(message: FromWorker): void {
    switch (message.kind) {
      case 'kept':
        return this.#kept();
      case 'ready':
        return this.#tell({ is: 'ready' });
      case 'failed':
        return this.#fail(message.message);
      case 'progress':
        return this.#waiting.get(message.id)?.progress?.(message.progress);
      case 'partial':
        return this.#waiting.get(message.id)?.partial?.(message.ok);
      case 'reply':
        return this.#settle(message.id)?.resolve(message.ok);
      case 'matrix':
        return this.#settle(message.id)?.resolve(message.matrix);
      case 'fault':
        return this.#settle(message.id)?.reject(new EngineError(message.fault));
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #fail(message: string): void {
    this.#failure = message;
    for (const waiting of this.#waiting.values()) waiting.reject(new EngineError({ code: 'not_loaded', message }));
    this.#waiting.clear();
    this.#tell({ is: 'failed', message });
  }
}

export { Superseded };
