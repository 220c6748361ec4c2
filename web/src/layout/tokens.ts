/** A run of a subject for drawing. */
export interface Piece {
  text: string;
  /** It is the token * or >. */
  wild: boolean;
  /** It stands for one character that cannot be seen or turns the line round; text is its name. */
  mark: boolean;
  /** It is written from right to left and must not move what is beside it. */
  turned: boolean;
}

/** A subject that is longer is drawn by its two ends. */
const mostDrawn = 600;
const drawnHead = 400;
const drawnTail = 100;

/** Characters without a picture of their own: controls, formats such as a zero width space or the order to write from right to left, spaces of every width. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Controls that change the direction of what follows. */
const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const names: Record<string, string> = { ' ': 'SPACE', '\t': 'TAB', '\n': 'LF', '\r': 'CR', '\f': 'FF', '\0': 'NUL', '\u007f': 'DEL', '\u00a0': 'NBSP', '\ufeff': 'BOM' };

function nameOf(char: string): string {
  return names[char] ?? `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The two ends of a long text and how much lies between them; a text of usual length as it is. */
export function ends(text: string, most = mostDrawn, head = drawnHead, tail = drawnTail): string {
  if (text.length <= most) return text;
  // Not between the halves of one character.
  const half = (at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const from = half(head) ? head - 1 : head;
  const to = half(text.length - tail) ? text.length - tail + 1 : text.length - tail;
  return `${text.slice(0, from)}…${(to - from).toLocaleString('en')} characters left out…${text.slice(to)}`;
}

/** A text with its unseen characters named, for places that hold no markup. */
export function seen(text: string): string {
  return ends(text).replace(new RegExp(unseen, 'gu'), (char) => (char === ' ' ? char : `<${nameOf(char)}>`));
}

/** Cuts a subject into pieces for drawing. It judges nothing: that is the engine's work. */
export function tokenPieces(text: string): Piece[] {
  const out: Piece[] = [];
  let plain = '';
  const end = () => {
    if (plain !== '') out.push({ text: plain, wild: false, mark: false, turned: false });
    plain = '';
  };
  text.split('.').forEach((token, i) => {
    if (i > 0) plain += '.';
    if (token === '*' || token === '>') {
      end();
      out.push({ text: token, wild: true, mark: false, turned: false });
    } else if (!unseen.test(token) && !rightToLeft.test(token)) {
      plain += token;
    } else {
      let run = '';
      const endRun = () => {
        if (run !== '') out.push({ text: run, wild: false, mark: false, turned: rightToLeft.test(run) });
        run = '';
      };
      end();
      for (const char of token) {
        if (!unseen.test(char)) {
          run += char;
          continue;
        }
        endRun();
        out.push({ text: nameOf(char), wild: false, mark: true, turned: false });
      }
      endRun();
    }
  });
  end();
  return out;
}

/** Cuts a line into pieces for drawing it over the field that it is typed in: every character keeps its width, and a mark holds the character itself. Bidirectional controls are left out: the line is drawn in the order of its bytes. */
export function linePieces(text: string): Piece[] {
  if (!unseen.test(text)) return tokenPieces(text);
  return text.split(new RegExp(`(${unseen.source})`, 'u')).flatMap((part) => {
    if (part === '') return [];
    if (!unseen.test(part)) return tokenPieces(part);
    return [{ text: turns.test(part) ? '\u200b' : part, wild: false, mark: true, turned: false }];
  });
}
