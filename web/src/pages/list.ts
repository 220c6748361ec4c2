// The pages beside the workbench, once: the menus of the header, the palette,
// the addresses (#/group/name) and the phone's tabs come from this list. A page
// is a Svelte component whose root is <main>; it is loaded when it is opened.
// What a person set stands in the address as plain values (studio.showValues).
import type { Component } from 'svelte';

/** The menus of the header, in their order; one without pages is not shown. */
export const groups = [
  { name: 'showdowns', title: 'Showdowns' },
  { name: 'labs', title: 'Labs' },
] as const;
/** A page of the group top is reached by a link of its own in the header, at #/NAME. */
export type Group = (typeof groups)[number]['name'] | 'top';

export interface ListedPage {
  group: Group;
  name: string;
  title: string;
  /** A line below the title: the question that it answers. */
  about: string;
  load: () => Promise<{ default: Component }>;
}

const calculator = () => import('../labs/CalculatorLab.svelte');
const numbers = () => import('../advise/NumbersLab.svelte');
const showdown = () => import('../showdowns/ShowdownPage.svelte');
const pages: readonly ListedPage[] = [
  { group: 'showdowns', name: 'core-jetstream', title: 'Core or JetStream', about: 'Does a message have to survive a reader that is away?', load: showdown },
  { group: 'showdowns', name: 'retention', title: 'Limits, interest, workqueue', about: 'When may the stream forget a message?', load: showdown },
  { group: 'showdowns', name: 'pull-push', title: 'Pull or push', about: 'Who sets the pace, and who is disconnected when a reader stalls?', load: showdown },
  { group: 'showdowns', name: 'nats-kafka', title: 'NATS or Kafka', about: 'What does this workload become on each?', load: showdown },
  { group: 'labs', name: 'questions', title: 'Six questions', about: 'A complete design from what flows, how much, how big, how long, who consumes and what may fail', load: () => import('../interview/SixQuestions.svelte') },
  { group: 'labs', name: 'stream-json', title: 'Recommended JetStream Stream JSON', about: 'A stream from rate, size, retention and replicas, one reason for each field', load: numbers },
  { group: 'labs', name: 'consumer-json', title: 'Consumer Definition JSON', about: 'A consumer from service time, rate and workers, one reason for each field', load: numbers },
  { group: 'labs', name: 'client-code', title: 'Idempotent Publisher with Backoff Retry', about: 'Publisher and worker in five languages from four numbers, run under twelve faults on a real server before you see them', load: () => import('../outputs/NumbersLab.svelte') },
  { group: 'labs', name: 'traps', title: 'Trap labs', about: 'Five fatal traps and the silent ones: harm and cure on the real server in this tab', load: () => import('../prove/TrapLab.svelte') },
  { group: 'labs', name: 'stream', title: 'Storage calculator', about: 'Disk, heap and network of a stream, and what binds first', load: calculator },
  { group: 'labs', name: 'dedup', title: 'Dedup calculator', about: 'What duplicate_window costs in heap', load: calculator },
  { group: 'labs', name: 'memory', title: 'Memory store', about: 'The heap of a memory stream', load: calculator },
  { group: 'labs', name: 'cluster', title: 'Cluster and pod sizing', about: 'What each server needs, and the most that fits', load: calculator },
  { group: 'labs', name: 'record', title: 'One message', about: 'Bytes of one stored message', load: calculator },
  { group: 'top', name: 'claims', title: 'How do we know', about: 'What is often repeated about NATS: true, false, and the proof', load: () => import('../claims/ClaimsPage.svelte') },
  { group: 'top', name: 'rules', title: 'Rules', about: 'What weir check finds, each with its reason, its cure and its proof', load: () => import('../rules/RulesPage.svelte') },
  { group: 'labs', name: 'backpressure', title: 'Backpressure', about: 'Pull beside push under load, bursts and stalls', load: () => import('../backpressure/BackpressureLab.svelte') },
];

/** The page at #/group/name. */
export const listed = (group: string, name: string): ListedPage | undefined => pages.find((page) => page.group === group && page.name === name);
/** Whether there is a page at #/group/name. */
export const isListed = (group: string, name: string): boolean => listed(group, name) !== undefined;

/** The entries of a menu. The subject lab has panels and addresses of its own. */
export function pagesOf(group: Group): { title: string; about: string; href: string }[] {
  const own = pages.filter((page) => page.group === group).map(({ title, about, name }) => ({ title, about, href: group === 'top' ? `#/${name}` : `#/${group}/${name}` }));
  return group === 'labs' ? [{ title: 'Subject lab', about: 'Patterns against subjects, overlaps, transforms, partitions', href: '#/subjects' }, ...own] : own;
}
