import type { Finding, LogEntry } from '../findings.ts';
import { describeCommand } from '../options.ts';
import type { CityResult } from '../run.ts';
import type { SeenFault } from './figures.ts';
import type { Measures, WindowUse } from './measures.ts';

export type Report = {
  readonly command: string;
  readonly seconds: number;
  readonly people: number;
  readonly orders: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly requestsBySlot: readonly number[];
  readonly answers: Readonly<Record<string, number>>;
  readonly slowest: { readonly p50: number; readonly p99: number };
  readonly counts: Readonly<Record<string, number>>;
  /** What was broken on purpose, oldest first. */
  readonly faults: readonly SeenFault[];
  readonly measures: Measures | undefined;
  /** The windows of the day that have orders, and how many one takes. */
  readonly windows: { readonly places: number; readonly used: readonly WindowUse[] };
  readonly findings: readonly (Finding & { readonly trace: readonly LogEntry[] })[];
};

export function makeReport({ options, seconds, people, orders, figures, log, measures, windows }: CityResult): Report {
  return {
    command: describeCommand(options),
    seconds: Math.round(seconds),
    people,
    orders,
    requests: figures.requests,
    requestsBySlot: figures.requestsBySlot,
    answers: figures.statuses,
    slowest: { p50: figures.percentile(0.5), p99: figures.percentile(0.99) },
    counts: figures.counts,
    faults: figures.faults,
    measures,
    windows: { places: options.windows, used: windows },
    findings: log.findings.map((finding) => ({ ...finding, trace: log.trace(finding) })),
  };
}
