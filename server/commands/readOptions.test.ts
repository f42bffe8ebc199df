import { expect, test } from 'vitest';
import { joinNegativeNumbers } from './readOptions.ts';
import { runCommandLine } from './runCommandLine.ts';

const refusalOf = (...typed: string[]) =>
  runCommandLine(typed, {}).then(
    () => 'not refused',
    (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
  );

test('the value of an option may be a negative number, and nothing else that begins with a dash', () => {
  expect(joinNegativeNumbers(['step', 'R-1', 'relay', '--latitude', '40.7', '--longitude', '-73.9'])).toEqual([
    ...['step', 'R-1', 'relay', '--latitude', '40.7', '--longitude=-73.9'],
  ]);
  expect(joinNegativeNumbers(['--longitude', '-.5', '-1'])).toEqual(['--longitude=-.5', '-1']);
  expect(joinNegativeNumbers(['--as', '--reason', '-x', '--', '-1'])).toEqual(['--as', '--reason', '-x', '--', '-1']);
});

test('an unknown option, or an option without a value, is refused in one sentence', async () => {
  const noOption = 'CommandError: there is no option --colour: "npm run operator -- help" shows them';
  const reading = 'list-money-problems';
  expect(await refusalOf(reading, '--colour', 'red')).toBe(noOption);
  expect(await refusalOf(reading, '-5')).toContain('CommandError: there is no option -5');
  expect(await refusalOf(reading, '--as')).toBe('CommandError: --as needs a value after it');
  expect(await refusalOf('decide-case', 'C-207', '--items')).toBe('CommandError: --items needs a value after it');
  expect(await refusalOf(reading, '--as', '--out', 'x')).toBe(
    'CommandError: --as needs a value after it. One that begins with a dash is written --as=-…',
  );
  expect(await refusalOf('sing', '--loud')).toBe(
    'CommandError: there is no command "sing": "npm run operator -- help" shows them',
  );
});
