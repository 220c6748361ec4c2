/** The studio as `weir studio` serves it. */
export const studioPort = 4821;
/** The exported site on a host that negotiates no encoding. */
export const staticPort = 4822;
export const studioURL = `http://127.0.0.1:${studioPort}/`;
export const staticURL = `http://127.0.0.1:${staticPort}/`;
