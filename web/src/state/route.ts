import { isListed } from '../pages/list';

/** The panels of the subject lab, in the order of their tabs. */
export const panels = ['match', 'relate', 'explain', 'transform', 'partition'] as const;
export type Panel = (typeof panels)[number];

/** Route is the page that a location's hash names, with the state it carries. */
export type Route =
  | { page: 'start'; state: string }
  | { page: 'subjects'; panel: Panel; state: string }
  /** preset names a design to open, '' to go on with the one that is open; panel a tab of the dock, '' for the one that is open. */
  | { page: 'design'; preset: string; panel: string; state: string }
  /** A page of the list in pages/list.ts with the values that its address carries. */
  | { page: 'listed'; group: string; name: string; values: Record<string, string>; state: '' }
  | { page: 'unknown'; path: string };

/** Reads a hash such as "#/subjects/relate?s=1abc". */
export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const values = new URLSearchParams(query);
  const state = values.get('s') ?? '';
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length === 0) return { page: 'start', state };
  if (parts[0] === 'design' && parts.length === 1) return { page: 'design', preset: values.get('preset') ?? '', panel: values.get('panel') ?? '', state };
  const [group, name] = parts.length === 1 ? ['top', parts[0]!] : [parts[0]!, parts[1]!];
  if (parts.length <= 2 && (group === 'top') === (parts.length === 1) && isListed(group, name)) return { page: 'listed', group, name, values: Object.fromEntries(values), state: '' };
  const panel = parts[1] ?? 'match';
  if (parts[0] === 'subjects' && parts.length <= 2 && (panels as readonly string[]).includes(panel)) {
    return { page: 'subjects', panel: panel as Panel, state };
  }
  return { page: 'unknown', path };
}

/** The hash of a route. */
export function formatHash(route: Exclude<Route, { page: 'unknown' }>): string {
  const query = route.state === '' ? '' : `?s=${route.state}`;
  if (route.page === 'start') return `#/${query}`;
  if (route.page === 'listed') {
    const values = new URLSearchParams(route.values).toString();
    return `#/${route.group === 'top' ? '' : `${route.group}/`}${route.name}${values === '' ? '' : '?' + values}`;
  }
  if (route.page === 'design') {
    const opens = Object.entries({ preset: route.preset, panel: route.panel, s: route.state }).filter(([, value]) => value !== '');
    return opens.length === 0 ? '#/design' : `#/design?${opens.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
  }
  return route.panel === 'match' ? `#/subjects${query}` : `#/subjects/${route.panel}${query}`;
}
