/** Rows as TSV; tabs and line breaks inside a value become spaces. */
export function toTSV(rows: string[][]): string {
  return rows.map((row) => row.map((value) => value.replace(/[\t\r\n]/g, ' ')).join('\t')).join('\n') + '\n';
}

/** A table in Markdown. The first codes columns are set as code, with codeHeads all heads but the first as well. */
export function toMarkdown(head: string[], rows: string[][], codes: number, codeHeads = false): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const lines = [
    line(head.map((value, i) => (codeHeads && i > 0 ? code(value) : plain(value)))),
    line(head.map(() => '---')),
    ...rows.map((row) => line(row.map((value, i) => (i < codes ? code(value) : plain(value))))),
  ];
  return lines.join('\n') + '\n';
}

const plain = (value: string) => value.replace(/[\r\n]/g, ' ').replaceAll('|', '\\|');

/** The fence is longer than any run of backticks in the value. */
function code(value: string): string {
  if (value === '') return '';
  const longest = Math.max(0, ...Array.from(value.matchAll(/`+/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 || value.startsWith(' ') ? ' ' : '';
  return fence + space + plain(value) + space + fence;
}
