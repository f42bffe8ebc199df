import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSeen } from './figures.ts';
import { renderReportPage } from './page.ts';
import type { Report } from './report.ts';

/** The day that a report is compared with, and what was changed after it. */
export type ComparedDay = { readonly before: Report; readonly changes: string };

/** Writes the report as text, as JSON and as a page. Returns the path of the page. */
export function writeReport(folder: string, report: Report, compared?: ComparedDay): string {
  mkdirSync(folder, { recursive: true });
  const name = compared ? 'what-if' : 'report';
  const page = join(folder, `${name}.html`);
  writeFileSync(join(folder, `${name}.txt`), `${describeReport(report)}\n`);
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ ...report, ...compared }, null, 2)}\n`);
  writeFileSync(page, renderReportPage(report, compared));
  return page;
}

const MAX_DESCRIBED = 10;
const MAX_FAULTS = 60;

export function describeReport(report: Report): string {
  const { command, seconds, people, orders, requests, answers, slowest, counts, faults } = report;
  const list = (values: Readonly<Record<string, number>>) =>
    Object.entries(values)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  const lines = [
    command,
    '',
    `${people} people, ${seconds} s`,
    `Orders: ${list(orders)}`,
    `Requests: ${requests}; half answered within ${slowest.p50} ms, 99 of 100 within ${slowest.p99} ms`,
    `Answers: ${list(answers)}`,
    `Also: ${list(counts)}`,
    ...describeWindows(report.windows),
    ...describeFaults(faults),
    '',
    describeFindings(report),
  ];
  return lines.join('\n');
}

export function describeFindings({ findings }: Report): string {
  if (findings.length === 0) return 'Every promise held.';
  const lines = [`${findings.length} contradictions:`];
  for (const finding of findings.slice(0, MAX_DESCRIBED)) lines.push('', ...describeFinding(finding));
  if (findings.length > MAX_DESCRIBED) lines.push('', `… and ${findings.length - MAX_DESCRIBED} more in report.json`);
  return lines.join('\n');
}

function describeWindows({ places, used }: Report['windows']): string[] {
  if (used.length === 0) return [];
  const full = used.filter(({ taken }) => taken >= places).length;
  return [`Windows: ${used.length} with orders, ${full} of them full`];
}

function describeFaults(faults: Report['faults']): string[] {
  if (faults.length === 0) return [];
  const shown = faults.slice(-MAX_FAULTS);
  const left = faults.length - shown.length;
  return [
    '',
    `Broken on purpose, and what people saw until the next time${left > 0 ? ` (${left} earlier ones are in report.json)` : ''}:`,
    ...shown.map((fault) => `  ${toSeconds(fault.at)}  ${fault.what}: ${describeSeen(fault)}`),
  ];
}

const toSeconds = (ms: number) => `${(ms / 1000).toFixed(2).padStart(8)} s`;

const describeFinding = ({ promise, what, trace }: Report['findings'][number]): string[] => [
  `WRONG: ${what}`,
  `  The promise: ${promise}.`,
  ...trace.map(({ at, who, what: did }) => `  ${toSeconds(at)}  ${who.padEnd(10)} ${did}`),
];
