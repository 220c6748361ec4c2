// What this browser keeps between visits. Storage may be full or blocked: then
// nothing is kept, and nothing fails.

/** Reads what was kept under a key, null when there is nothing. */
export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text; false when it could not be. */
export function writeKept(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the work that this tab kept under a key, else that of the tab that wrote
 * last: a tab reopens its own after a reload, a new one goes on where the last
 * one was.
 */
export function readWork(key: string): string | null {
  return readOwn(key) ?? readKept(key);
}

/** Reads what this tab itself kept under a key, null when there is nothing. */
export function readOwn(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps the work of this tab; false when it could not be. */
export function writeWork(key: string, text: string): boolean {
  const own = writeOwn(key, text);
  return writeKept(key, text) || own;
}

/** Keeps the work of this tab for this tab alone. */
export function writeOwn(key: string, text: string): boolean {
  try {
    sessionStorage.setItem(key, text);
    return true;
  } catch {
    // One place for each: an older text of this tab must not come back.
    forgetIn(() => sessionStorage, key);
    return false;
  }
}

/** Forgets the work of this tab. What another tab kept is its own. */
export function forgetWork(key: string): void {
  const own = readOwn(key);
  forgetIn(() => sessionStorage, key);
  if (own !== null && own === readKept(key)) forgetKept(key);
}

/** Forgets what was kept under a key. */
export function forgetKept(key: string): void {
  forgetIn(() => localStorage, key);
}

function forgetIn(storage: () => Storage, key: string): void {
  try {
    storage().removeItem(key);
  } catch {
    // Blocked storage holds nothing.
  }
}
