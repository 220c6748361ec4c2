// Compresses the built front end into the folder that the Go package
// internal/studio embeds, removes what else was there, and prints the sizes of
// the WASM programs against their budgets.
//
//   node web/build/pack.mjs [--best] FROM TO
//
// Brotli's quality is 9, or 11 with --best: an eighth smaller, in fifteen times
// the time. Both of brotli's and gzip's results depend only on their input.
import { mkdir, readFile, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';

/** The most bytes of a program as brotli of quality 9. */
const budgets = { 'engine.wasm': 3_250_000, 'server.wasm': 6_000_000 };

/** The largest window that browsers read: server.wasm is 0.2 % smaller than with the default of 22. */
const window = 24;

/** @param {string} dir @returns {Promise<string[]>} the files of a folder and those below, sorted */
async function filesOf(dir) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * The distances of a program's repeats are coded with three low bits of their own
 * and more of them directly: 0.1 % smaller.
 * @param {Buffer} body @param {boolean} best
 */
const brotli = (body, best) =>
  promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_NPOSTFIX]: 3,
      [constants.BROTLI_PARAM_NDIRECT]: 120,
      [constants.BROTLI_PARAM_QUALITY]: best ? 11 : 9,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });

/** Whether what is there was made of body: the server's seconds are not spent again while only the pages change. @param {string} target @param {Buffer} body */
async function holds(target, body) {
  try {
    await readFile(`${target}.br`);
    return body.equals(await promisify(gunzip)(await readFile(`${target}.gz`)));
  } catch {
    return false;
  }
}

/** @param {string} from @param {string} to @param {string} name @param {boolean} best */
async function pack(from, to, name, best) {
  const body = await readFile(join(from, name));
  const target = join(to, name);
  if (best || !(await holds(target, body))) {
    const [br, gz] = await Promise.all([brotli(body, best), promisify(gzip)(body, { level: 9 })]);
    await mkdir(dirname(target), { recursive: true });
    await Promise.all([writeFile(`${target}.br`, br), writeFile(`${target}.gz`, gz)]);
  }
  const budget = budgets[/** @type {keyof typeof budgets} */ (name)];
  if (!budget) return;
  const bytes = (await readFile(`${target}.br`)).length;
  console.log(`${name}: ${body.length} bytes, ${bytes} as brotli, budget ${budget}`);
  if (bytes > budget) throw new Error(`${name} is over its budget`);
}

/** Removes the files of dir that are not of the site, and folders that are empty then. @param {string} dir @param {Set<string>} site */
async function clear(dir, site) {
  for (const name of await filesOf(dir)) {
    if (name !== 'README' && !(/\.(br|gz)$/.test(name) && site.has(name.slice(0, -3)))) await rm(join(dir, name));
  }
  const folders = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  for (const folder of folders.sort((a, b) => b.split(sep).length - a.split(sep).length)) {
    if ((await readdir(folder)).length === 0) await rmdir(folder);
  }
}

const [from, to, ...rest] = process.argv.slice(2).filter((word) => word !== '--best');
if (!from || !to || rest.length > 0) {
  console.error('usage: node web/build/pack.mjs [--best] FROM TO');
  process.exit(2);
}
try {
  const names = await filesOf(from);
  await Promise.all(names.map((name) => pack(from, to, name, process.argv.includes('--best'))));
  await clear(to, new Set(names));
} catch (err) {
  console.error('pack the studio:', err instanceof Error ? err.message : err);
  process.exit(3);
}
