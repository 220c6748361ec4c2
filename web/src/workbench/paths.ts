/** Whether a design path lies at or below another. */
export function isBelow(path: string, above: string): boolean {
  return path === above || (path.startsWith(above) && (path[above.length] === '.' || path[above.length] === '['));
}
