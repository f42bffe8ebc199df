import { expect, test } from 'vitest';
import { describeCommand, OptionError, readCityOptions } from './options.ts';

const read = (line = '') => readCityOptions(line.split(' ').filter(Boolean), 7);

test('a city without options has a small crowd, and a seed that is drawn', () => {
  expect(read()).toMatchObject({ buds: 12, speed: 60, minutes: 3, seed: 7, policy: 'open', chaos: false });
});

test('the command of a run repeats it', () => {
  const options = read('--buds 3 --minutes 0.5 --policy careful --chaos --seed 42');
  expect(readCityOptions(describeCommand(options).split(' -- ')[1]?.split(' ') ?? [], 1)).toEqual(options);
});

test.each([
  ['--buds 0', '--buds must be from 1 to 2000, not "0"'],
  ['--buds 1.5', '--buds must be from 1 to 2000, not "1.5"'],
  ['--speed never', '--speed must be from 1 to 1000, not "never"'],
  ['--policy strict', '--policy must be open or careful, not "strict"'],
  ['--seed x', '--seed must be a number, not "x"'],
  ['--against nowhere', '--against must be an address like http://127.0.0.1:3000, not "nowhere"'],
  ['--against http://127.0.0.1:1 --chaos', '--chaos needs an installation of its own: leave out --against'],
  ['--database postgres://x', '--database goes with --against'],
])('%s is refused with words', (line, message) => {
  expect(() => read(line)).toThrow(new OptionError(message));
});

test('an unknown option is refused with the list of those there are', () => {
  expect(() => read('--budz 3')).toThrow(/--buds, --scrubs/);
});
