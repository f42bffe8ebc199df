import { describeError } from '../server/commands/commandError.ts';
import { applySettings } from './compare.ts';
import { type CityOptions, describeCommand, OptionError, readCityOptions, USAGE } from './options.ts';
import { compareDays } from './report/measures.ts';
import { makeReport, type Report } from './report/report.ts';
import { describeProgress } from './report/summary.ts';
import { describeReport, writeReport } from './report/writeReport.ts';
import { type Progress, runCity } from './run.ts';

const REDRAW_MS = 1_000;
/** How often a run that found something is repeated with half as many people. */
const MAX_SMALLER_RUNS = 4;

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
    const result = await runCity(options, (next) => {
      progress = next;
      if (!isTerminal) console.log(describeProgress(progress, (performance.now() - startedAt) / 1000));
    });
    return makeReport(result);
  } finally {
    clearInterval(timer);
  }
}

/** Repeats with half as many people and half the time, as long as something is found. */
async function shrink(options: CityOptions): Promise<void> {
  const half = (count: number) => Math.max(1, Math.ceil(count / 2));
  let smallest = options;
  for (let runs = 0; runs < MAX_SMALLER_RUNS; runs += 1) {
    const { buds, scrubs, dubers, minutes } = smallest;
    const smaller = {
      ...smallest,
      buds: half(buds),
      scrubs: half(scrubs),
      dubers: half(dubers),
      minutes: Math.max(0.25, minutes / 2),
    };
    const { findings } = await runAndShow(smaller);
    if (findings.length === 0) break;
    smallest = smaller;
  }
  console.log(`The smallest run that found something:\n${describeCommand(smallest)}`);
}

run(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof OptionError ? error.message : `rubadub city: ${describeError(error)}`);
    process.exit(2);
  },
);
