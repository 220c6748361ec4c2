/** The largest list that is read from a file, in bytes: the most that the engine takes at once. */
const maxListBytes = 64 << 20;

/** ListFile is the text of a file, null when it is too large; fault says in a sentence what is to be known about it. */
export interface ListFile {
  text: string | null;
  fault: string;
}

/** Reads a list from a file. Bytes that are not UTF-8 become U+FFFD, and that is said. */
export async function readList(file: Blob & { name: string }): Promise<ListFile> {
  if (file.size > maxListBytes) return { text: null, fault: `${file.name} has ${file.size} bytes, more than ${maxListBytes}; split the list.` };
  const bytes = await file.arrayBuffer();
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), fault: '' };
  } catch {
    return { text: new TextDecoder().decode(bytes), fault: `${file.name} holds bytes that are not UTF-8; each is read as U+FFFD. The weir command reads them as they are.` };
  }
}
