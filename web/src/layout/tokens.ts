/** A run of a subject for drawing: wild when it is the token * or >. */
export interface Piece {
  text: string;
  wild: boolean;
}

/** Cuts a subject into pieces for colouring. It judges nothing: that is the engine's work. */
export function tokenPieces(text: string): Piece[] {
  const out: Piece[] = [];
  let plain = '';
  text.split('.').forEach((token, i) => {
    if (i > 0) plain += '.';
    if (token !== '*' && token !== '>') {
      plain += token;
      return;
    }
    if (plain !== '') out.push({ text: plain, wild: false });
    out.push({ text: token, wild: true });
    plain = '';
  });
  if (plain !== '') out.push({ text: plain, wild: false });
  return out;
}
