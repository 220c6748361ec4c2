// The engine's worker: runs engine.wasm, which is Weir in Go, and passes calls
// through. It splits lists into lines and packs the matrix, and knows nothing
// of NATS.
import { engine, keepProgram, programURL, type GoRuntime } from './fetch';
import { entries, splitLines } from './lines';
import { packMatrix } from './matrix';
import type { CallMessage, Fault, FromWorker, MatrixMessage, Progress, StartMessage, ToWorker } from './messages';
import type { MatrixReply, Methods } from './types';

interface Scope {
  Go: new () => GoRuntime;
  weirEngine?: { call(method: string, request: string, progress?: (json: string) => void): string | Promise<string> };
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}

const scope = self as unknown as Scope;
const post = (message: FromWorker, transfer: Transferable[] = []) => scope.postMessage(message, transfer);

/** By how many percent the memory in use grows before the engine looks for what it can reuse: it has one thread, which waits meanwhile. */
const collectAt = '300';

let started: Promise<void>;
let site = '';
let give: (program: WebAssembly.Module) => void;
const given = new Promise<WebAssembly.Module>((go) => (give = go));

scope.onmessage = ({ data }) => {
  if (data.kind === 'program') return give(data.module);
  if (data.kind === 'keep') return void keepProgram(data.base, engine, data.host).catch(() => {}).finally(() => post({ kind: 'kept' })); // it runs without
  if (data.kind === 'start') {
    started = start(data);
    started.then(
      () => post({ kind: 'ready' }),
      (err: unknown) => post({ kind: 'failed', message: err instanceof Error ? err.message : String(err) }),
    );
    return;
  }
  started
    .then(() => (data.kind === 'matrix' ? matrix(data) : call(data)))
    .catch((err: unknown) => post({ kind: 'fault', id: data.id, fault: asFault(err) }));
};

async function start({ base }: StartMessage): Promise<void> {
  site = base;
  await import(/* @vite-ignore */ programURL(base, engine, 'wasm_exec.js'));
  const go = new scope.Go();
  go.env.GOGC = collectAt;
  const instance = await WebAssembly.instantiate(await given, go.importObject);
  const ended = go.run(instance).then(() => {
    throw new Error('the engine ended before it answered');
  });
  await Promise.race([ended, bound()]);
  ended.catch((err: unknown) => post({ kind: 'failed', message: String(err) }));
}

/** Resolves when the Go program has set weirEngine, which it does before it first waits. */
async function bound(): Promise<void> {
  while (scope.weirEngine === undefined) await new Promise((again) => setTimeout(again, 1));
}

class EngineFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

function asFault(err: unknown): Fault {
  if (err instanceof EngineFault) return err.fault;
  return { code: 'internal', message: err instanceof Error ? err.message : String(err) };
}

async function ask(method: string, req: unknown, progress?: (json: string) => void, missing = ''): Promise<unknown> {
  const { ok, error } = JSON.parse(await scope.weirEngine!.call(method, JSON.stringify(req), progress)) as { ok?: unknown; error?: Fault };
  if (!error) return ok;
  if (error.code !== 'project_missing' || !error.path || error.path === missing) throw new EngineFault(error);
  await ask('outputs.give', { name: error.path, text: await project(error.path) } satisfies Methods['outputs.give']['req']);
  return ask(method, req, progress, error.path);
}

/** Client code that is the same for every design: it lies beside the engine, which is smaller without. */
async function project(name: string): Promise<string> {
  const response = await fetch(programURL(site, engine, `projects/${name}`)).catch(() => null);
  if (!response?.ok) throw new EngineFault({ code: 'not_loaded', message: `${name}, which the code is made of, did not come: ${response ? `the host answered ${response.status}` : 'the host cannot be reached'}` });
  return response.text();
}

async function call(message: CallMessage): Promise<void> {
  const req = { ...message.req };
  for (const [name, text] of Object.entries(message.lists)) req[name] = entries(splitLines(text));
  const id = message.id;
  const report = (json: string) => {
    const said = JSON.parse(json) as Progress | { partial: unknown };
    post('partial' in said ? { kind: 'partial', id, ok: said.partial } : { kind: 'progress', id, progress: said });
  };
  post({ kind: 'reply', id: message.id, ok: await ask(message.method, req, message.reports ? report : undefined) });
}

async function matrix(message: MatrixMessage): Promise<void> {
  const patterns = splitLines(message.patterns);
  const subjects = splitLines(message.subjects);
  const from = performance.now();
  const reply = (await ask('subject.matrix', { patterns: entries(patterns), subjects: entries(subjects) })) as MatrixReply;
  const packed = packMatrix(reply, patterns, subjects, performance.now() - from);
  const big = [packed.bits, packed.subjects.matches, packed.subjects.fault, subjects.starts, subjects.ends, packed.wildcard];
  post({ kind: 'matrix', id: message.id, matrix: packed }, big.map((array) => array.buffer as ArrayBuffer));
}
