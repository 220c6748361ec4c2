/** A count with what is counted: "1 file", "2,000 files". Counts of NATS come from the engine, ready to read. */
export const counted = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
