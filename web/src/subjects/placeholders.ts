/** A place in a template that takes many values: id keeps its number, name is what the engine calls it ("" for *), label is what the person wrote. */
export interface Placeholder {
  id: string;
  name: string;
  label: string;
}

/** Lists where a template asks for a number of values: each {name} once, and each * by its place. */
export function placeholders(template: string): Placeholder[] {
  const out = new Map<string, Placeholder>();
  template.split('.').forEach((token, i) => {
    if (token === '*') out.set(`*${i + 1}`, { id: `*${i + 1}`, name: '', label: `* at token ${i + 1}` });
    else if (/^\{.+\}$/.test(token) && !out.has(token.slice(1, -1))) out.set(token.slice(1, -1), { id: token.slice(1, -1), name: token.slice(1, -1), label: token });
  });
  return [...out.values()];
}
