// Lines of laid-out JSON, split for colouring. It only looks at the look: a text
// that is no JSON comes out as lines without keys.

export interface JSONLine {
  indent: string;
  /** The key that the line begins with, '' for none. */
  key: string;
  rest: string;
  kind: 'number' | 'text';
}

export function jsonLines(text: string): JSONLine[] {
  return text.replace(/\n$/, '').split('\n').map((line) => {
    const found = /^(\s*)"([^"\\]*)": (.*)$/.exec(line);
    const [indent, key, rest] = found ? [found[1]!, found[2]!, found[3]!] : [/^\s*/.exec(line)![0], '', line.trimStart()];
    return { indent, key, rest, kind: /^(-?\d|true|false|null)/.test(rest) ? 'number' : 'text' };
  });
}
