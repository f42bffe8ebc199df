import { expect, test } from 'vitest';
import { readCityOptions } from '../city/options.ts';
import { makeReport } from '../city/report/report.ts';
import { describeFindings, describeReport } from '../city/report/writeReport.ts';
import { runCity } from '../city/run.ts';
import { describePromise, isNight, TEST_TIMEOUT_MS } from './promiseSuite.ts';

const CROWD = { buds: 16, scrubs: 5, dubers: 6, operators: 2 };
const CROWD_AT_NIGHT = { buds: 700, scrubs: 130, dubers: 170, operators: 3 };

describePromise('city', (suite) => {
  test(
    'nobody in the city sees or gets anything that contradicts what they know, and what is stored agrees with itself',
    async () => {
      const policy = suite.random() < 0.5 ? 'open' : 'careful';
      const defaults = readCityOptions(['--chaos', '--policy', policy], suite.seed);
      const crowd = isNight ? CROWD_AT_NIGHT : CROWD;
      const speed = isNight ? 4 : 150;
      const result = await runCity({ ...defaults, ...crowd, speed, minutes: suite.cases / 60 });
      const report = makeReport(result);
      suite.recordFigure('people', result.people);
      suite.recordFigure('requests', report.requests);
      for (const [what, count] of Object.entries(report.counts)) suite.recordFigure(what, count);
      if (report.findings.length > 0) console.log(describeReport(report));
      expect(report.findings, describeFindings(report)).toEqual([]);
      expect(Object.values(report.orders).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
      suite.countCases(suite.cases);
    },
    TEST_TIMEOUT_MS + suite.cases * 1_000,
  );
});
