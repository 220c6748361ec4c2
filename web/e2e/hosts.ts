/** The first of two ports on loopback; WEIR_E2E_PORT moves them where another checkout tests at the same time. */
const firstPort = Number(process.env.WEIR_E2E_PORT ?? 4821);
/** The studio as `weir studio` serves it. */
export const studioPort = firstPort;
/** The exported site on a host that negotiates no encoding. */
export const staticPort = firstPort + 1;
export const studioURL = `http://127.0.0.1:${studioPort}/`;
export const staticURL = `http://127.0.0.1:${staticPort}/`;
