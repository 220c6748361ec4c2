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

/** Forgets what was kept under a key. */
export function forgetKept(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Blocked storage holds nothing.
  }
}
