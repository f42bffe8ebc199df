import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** What a suite's report says. `failures` are the titles of the tests that failed, each with the start of its error. */
export type Tally = { passed: number; failed: number; failures: string[] };

type VitestReport = {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
};

export function tallyOfVitest(path: string, root: string): Tally {
  const { numPassedTests, testResults } = readReport<VitestReport>(path);
  const failures = testResults.flatMap((file) => {
    const name = file.name.replace(`${root}/`, '');
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    // The file does not load, or what runs before or after its tests failed.
    if (file.status === 'failed' && failed.length === 0) return [describe(name, file.message)];
    return failed.map((test) => describe(`${name} › ${test.fullName}`, test.failureMessages[0]));
  });
  return { passed: numPassedTests, failed: failures.length, failures };
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; tests: PlaywrightTest[] }[];
};
type PlaywrightTest = {
  status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
  results: { error?: { message?: string } }[];
};
type PlaywrightReport = { stats: { expected: number }; errors: { message?: string }[]; suites: PlaywrightSuite[] };

export function tallyOfPlaywright(path: string): Tally {
  const { stats, errors, suites } = readReport<PlaywrightReport>(path);
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const failures = suites
    .flatMap(specsOf)
    .flatMap(({ title, file, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) =>
          describe(`journeys/${file} › ${title}`, results.find(({ error }) => error)?.error?.message),
        ),
    );
  failures.push(...errors.map(({ message }) => describe('journeys', message)));
  return { passed: stats.expected, failed: failures.length, failures };
}

const readReport = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

const LINES_OF_ERROR = 40;
const CALLED_BY_OTHERS = /^\s+at .*(\/node_modules\/|node:|<anonymous>)/;

function describe(title: string, message = 'no message'): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line !== '' && !CALLED_BY_OTHERS.test(line));
  return [title, ...lines.slice(0, LINES_OF_ERROR).map((line) => `    ${line.slice(0, 300)}`)].join('\n');
}
