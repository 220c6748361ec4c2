// Files and texts on their way into the workbench, wherever they were dropped
// or pasted.
import { studio } from '../state/studio.svelte';
import { bench } from './bench.svelte';
import { readFiles, type DesignFile } from './design-files';

class Importing {
  /** Files are held over the page. */
  over = $state(false);
  /** What the import dialog opens with. */
  pasted = '';
  files: DesignFile[] = [];
  refused: string[] = [];

  clear(): void {
    this.pasted = '';
    this.files = [];
    this.refused = [];
  }

  /** Takes dropped files: as a design of their own, or beside what is open. */
  async drop(files: readonly File[], how: 'replace' | 'add'): Promise<void> {
    this.over = false;
    if (files.length === 0) return;
    await bench.open();
    const opened = await readFiles(files);
    const refused = () => opened.refused.length > 0 && (studio.notice = opened.refused.join('; ') + '.');
    if (opened.files.length === 0) {
      refused();
      return;
    }
    // First: what is said from here on belongs to that page.
    if (studio.route.page !== 'design') studio.goTo('design');
    if (how === 'add') bench.add(opened.files);
    else bench.replace({ files: opened.files, active: opened.files[0]!.name, target: bench.target });
    refused();
  }

  /** Opens the dialog, filled with what was pasted outside a field. */
  async paste(text: string, files: readonly File[]): Promise<void> {
    const opened = await readFiles(files);
    this.pasted = files.length > 0 ? '' : text;
    this.files = opened.files;
    this.refused = opened.refused;
    studio.dialog = 'import';
  }
}

/** What is being brought in. */
export const importing = new Importing();
