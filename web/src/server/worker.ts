// The worker of the real nats-server: gives Go files in memory, loads
// server.wasm and passes calls through. It ends with terminate, and with it all
// that the servers stored.
import { compileProgram, keepProgram, programURL, server, type GoRuntime, type Host } from '../engine/fetch';
import type { Fault } from '../engine/messages';
import { MemoryFiles } from './memory-files';
import type { FromServer, ToServer } from './messages';

interface Scope {
  Go: new () => GoRuntime;
  fs?: object;
  process?: object;
  weirServer?: {
    call(id: number, method: string, request: string, progress: (json: string) => void): Promise<string>;
    cancel(id: number): void;
  };
  onmessage: ((event: MessageEvent<ToServer>) => void) | null;
  postMessage(message: FromServer): void;
}

const scope = self as unknown as Scope;
const post = (message: FromServer) => scope.postMessage(message);

/** What the servers of a run may store together. A tab has 4 GiB at most, and files are copied as they grow. */
const mostStored = 1 << 30;
/** The line with which Go said why it ends, '' while it runs. The stacks of all that ran come after it. */
let lastWords = '';
const files = new MemoryFiles(mostStored, (line) => {
  if (lastWords === '' && /^(panic|fatal error|runtime):/.test(line)) lastWords = line;
});

let started: Promise<void>;

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'start':
      started = start(data.base, data.host);
      started.then(() => post({ kind: 'ready' }), fail);
      return;
    case 'call':
      started.then(() => call(data.id, data.method, data.req)).catch((err: unknown) => post({ kind: 'fault', id: data.id, fault: { code: 'internal', message: wordsOf(err) } }));
      return;
    case 'cancel':
      scope.weirServer?.cancel(data.id);
  }
};

async function start(base: string, host: Host): Promise<void> {
  scope.fs = files.asNode();
  scope.process = { pid: 1, ppid: 0, getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, getgroups: () => [], umask: () => 0o22, cwd: () => '/', chdir: () => {} };
  const compiled = compileProgram(base, server, host, (bytes) => post({ kind: 'loading', bytes, total: server.bytes }));
  compiled.catch(() => {}); // reported where it is awaited
  await import(/* @vite-ignore */ programURL(base, server, 'wasm_exec.js'));
  const go = new scope.Go();
  go.env = { TMPDIR: '/tmp' };
  const module = await compiled;
  post({ kind: 'compiled' });
  keepProgram(base, server, host).catch(() => {}); // it runs without
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const ended = go.run(instance).then(() => {
    throw new Error(`${programEnded}${lastWords || 'it did not say why'}`);
  });
  await Promise.race([ended, bound()]);
  ended.catch(fail);
}

const programEnded = 'the program of nats-server ended: ';

function fail(err: unknown): void {
  const said = wordsOf(err);
  const noMemory = err instanceof RangeError || /memory|allocation/i.test(said);
  const notFetched = err instanceof TypeError && /fetch|network/i.test(said);
  post({
    kind: 'failed',
    message: noMemory ? `this tab has no memory left for nats-server: prove with less at once, or close other tabs (${said.replace(programEnded, '')})`
      : notFetched ? `the program of nats-server could not be fetched (${said}): the connection or the host is in the way; everything but proofs works, and "Restart server" tries again` : said,
  });
}

/** Resolves when the Go program has set weirServer, which it does before it first waits. */
async function bound(): Promise<void> {
  while (scope.weirServer === undefined) await new Promise((again) => setTimeout(again, 1));
}

function wordsOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}

async function call(id: number, method: string, req: Record<string, unknown>): Promise<void> {
  const progress = (json: string) => post({ kind: 'progress', id, ...(JSON.parse(json) as { done: number; total: number; what: string }) });
  const reply = JSON.parse(await scope.weirServer!.call(id, method, JSON.stringify(req), progress)) as { ok?: unknown; error?: Fault };
  if (reply.error) post({ kind: 'fault', id, fault: reply.error });
  else post({ kind: 'reply', id, ok: reply.ok, files: files.count });
}
