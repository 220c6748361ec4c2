// Orders and steps through findings; what they say comes from the engine.
import type { CheckFinding as Finding } from '../engine/types';

/** A place in one of several files. */
export interface FilePlace {
  file: string;
  line: number;
  col: number;
}

/** What makes a finding the same after an edit: its kind and the value it is about. */
export function findingKey(finding: Finding): string {
  return JSON.stringify([finding.code, finding.file, finding.path, finding.path === '' ? finding.message : '']);
}

function compare(a: FilePlace, b: FilePlace, files: readonly string[]): number {
  return files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.col - b.col;
}

/** Findings in the order of the files' tabs and of places. */
export function inDocumentOrder(findings: readonly Finding[], files: readonly string[]): Finding[] {
  return findings.toSorted((a, b) => compare(a, b, files));
}

/** The finding after a place, or before it, going round at the end. From the chosen finding's own place it goes on to the next one there. */
export function nextFinding(inOrder: readonly Finding[], files: readonly string[], from: FilePlace, chosen: Finding | null, forward: boolean): Finding | null {
  if (inOrder.length === 0) return null;
  const at = chosen ? inOrder.indexOf(chosen) : -1;
  if (chosen && at >= 0 && compare(chosen, from, files) === 0) return inOrder[(at + (forward ? 1 : -1) + inOrder.length) % inOrder.length]!;
  const behind = inOrder.findIndex((finding) => compare(finding, from, files) > 0);
  if (forward) return inOrder[behind < 0 ? 0 : behind]!;
  const before = inOrder.findLastIndex((finding) => compare(finding, from, files) < 0);
  return inOrder[before < 0 ? inOrder.length - 1 : before]!;
}

const severities = ['error', 'warning', 'info'] as const;
export type FindingSeverity = (typeof severities)[number];

/** Findings by severity, the worst first; a severity without findings is left out. */
export function bySeverity(findings: readonly Finding[]): { severity: FindingSeverity; findings: Finding[] }[] {
  return severities.map((severity) => ({ severity, findings: findings.filter((finding) => finding.severity === severity) })).filter((group) => group.findings.length > 0);
}

/** The findings that begin on a line of a file. */
export function onLine(findings: readonly Finding[], file: string, line: number): Finding[] {
  return findings.filter((finding) => finding.file === file && finding.line === line);
}
