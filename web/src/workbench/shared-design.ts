// What the workbench holds, as it is shared and kept.
import { OtherFormat } from '../state/lab';
import { maxFiles, tooLarge, type DesignFile } from './design-files';

/** The version of SharedDesign that links carry. */
const version = 1;

/** A design as a link carries it. */
export interface SharedDesign {
  files: DesignFile[];
  /** The name of the file that is open. */
  active: string;
  /** The server version to judge by, '' for the one that the design names. */
  target: string;
}

/** What encode gets. */
export function toShared(design: SharedDesign): unknown {
  return { v: version, files: design.files.map(({ name, text }) => [name, text]), active: design.active, target: design.target };
}

/** Reads what toShared wrote, however damaged: throws with the reason rather than taking a wrong value over. */
export function fromShared(value: unknown): SharedDesign {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not an object');
  const top = value as Record<string, unknown>;
  if (top.v !== version) throw typeof top.v === 'number' && top.v > version ? new OtherFormat(`it is of format ${top.v}, and this studio reads ${version}`) : new Error('no version');
  if (!Array.isArray(top.files) || top.files.length === 0 || top.files.length > maxFiles) throw new Error(`files are not a list of 1 to ${maxFiles}`);
  const files = top.files.map((file: unknown, i) => {
    if (!Array.isArray(file) || typeof file[0] !== 'string' || typeof file[1] !== 'string') throw new Error(`file ${i + 1} is not a name and a text`);
    const large = tooLarge(file[0], new Blob([file[1]]).size);
    if (large !== '') throw new Error(large);
    return { name: file[0], text: file[1] };
  });
  if (new Set(files.map((file) => file.name)).size !== files.length) throw new Error('two files have one name');
  return {
    files,
    active: files.some((file) => file.name === top.active) ? (top.active as string) : files[0]!.name,
    target: typeof top.target === 'string' && /^\d+\.\d+(\.\d+)?$/.test(top.target) ? top.target : '',
  };
}
