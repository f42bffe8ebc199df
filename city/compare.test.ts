import { expect, test } from 'vitest';
import { applySettings } from './compare.ts';
import { OptionError, readCityOptions } from './options.ts';

const options = readCityOptions(['--windows', '6'], 7);

test('a second day has other places, Scrubs and weeks, and everything else as on the first', () => {
  expect(applySettings(options, 'windows=2, scrubs=3,pounds=40')).toEqual({
    ...options,
    ...{ windows: 2, scrubs: 3, pounds: 40 },
  });
});

test.each(['windows=0', 'pounds=many', 'weather=3'])('the change %s is refused', (change) => {
  expect(() => applySettings(options, change)).toThrow(OptionError);
});
