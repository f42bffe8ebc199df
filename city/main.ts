import { describeError } from '../server/commands/commandError.ts';
import { applySettings } from './compare.ts';
import type { Finding } from './findings.ts';
import { type CityOptions, describeCommand, OptionError, readCityOptions, USAGE } from './options.ts';
import { compareDays } from './report/measures.ts';
import { makeReport, type Report } from './report/report.ts';
import { describeProgress } from './report/summary.ts';
import { describeReport, writeReport } from './report/writeReport.ts';
import { type Progress, runCity } from './run.ts';

const REDRAW_MS = 1_000;
/** How often a run that found something is repeated with half as many people. */
const MAX_SMALLER_RUNS = 4;
const MAX_SMALLER_MINUTES = 2;

/** Returns the exit code: 0 when every promise held. */
async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const options = readCityOptions(args, Math.floor(Math.random() * 1e9));
  // Wrong changes are refused before the first day.
  if (options.whatIf !== undefined) applySettings(options, options.whatIf);
  console.log(describeCommand(options));
  const report = await runAndShow(options);
  const page = writeReport(options.report, report);
  console.log(`\n${describeReport(report)}\n\nThe report: ${page}`);
  if (options.whatIf !== undefined) return compareWith(options, options.whatIf, report);
  if (report.findings.length === 0) return 0;
  if (options.shrink) await shrink(options);
  return 1;
}

/** Lives the same day again with some changes. */
async function compareWith(options: CityOptions, changes: string, before: Report): Promise<number> {
  const after = await runAndShow(applySettings(options, changes));
  if (before.measures && after.measures) console.log(`\n${compareDays(before.measures, after.measures).join('\n')}`);
  const page = writeReport(options.report, after, { before, changes });
  console.log(`\nThe report of both days: ${page}`);
  return before.findings.length + after.findings.length === 0 ? 0 : 1;
}

async function runAndShow(options: CityOptions): Promise<Report> {
  const startedAt = performance.now();
  const isTerminal = process.stdout.isTTY;
  let progress: Progress = { stage: 'opening', context: undefined, crowd: undefined };
  const show = () => {
    const text = describeProgress(progress, (performance.now() - startedAt) / 1000);
    if (isTerminal) process.stdout.write(`\x1b[2J\x1b[H${describeCommand(options)}\n${text}\n`);
  };
  const timer = setInterval(show, REDRAW_MS);
  try {
    const follow = (next: Progress) => {
      progress = next;
      if (!isTerminal) console.log(describeProgress(progress, (performance.now() - startedAt) / 1000));
    };
    const say = ({ what, promise }: Finding) => console.error(`WRONG: ${what} (${promise})`);
    return makeReport(await runCity(options, follow, say));
  } finally {
    clearInterval(timer);
  }
}

/** Repeats with half as many people and half the time, as long as something is found, and prints the smallest run. */
async function shrink(options: CityOptions): Promise<void> {
  const half = (count: number) => Math.max(1, Math.ceil(count / 2));
  let smallest: Report | undefined;
  let smaller = options;
  for (let runs = 0; runs < MAX_SMALLER_RUNS; runs += 1) {
    const { buds, scrubs, dubers, minutes } = smaller;
    smaller = {
      ...smaller,
      buds: half(buds),
      scrubs: half(scrubs),
      dubers: half(dubers),
      minutes: Math.min(MAX_SMALLER_MINUTES, Math.max(0.25, minutes / 2)),
    };
    console.log(`\nThe same with fewer people: ${describeCommand(smaller)}`);
    const report = await runAndShow(smaller);
    if (report.findings.length === 0) break;
    smallest = report;
  }
  if (smallest) console.log(`\nThe smallest run that found something:\n${describeReport(smallest)}`);
  else console.log('\nWith half as many people nothing was found.');
}

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof OptionError ? error.message : `rubadub city: ${describeError(error)}`);
    process.exit(2);
  },
);
