import { describe, expect, test } from 'vitest';
import {
  type Color,
  contrastOf,
  findColorProblem,
  isColor,
  nearestReadable,
  shadesOf,
  TEXT_CONTRAST,
} from './colors.ts';
import { DEFAULT_IDENTITY } from './identity.ts';

const CHANNELS = ['00', '33', '66', '99', 'cc', 'ff'];
const ALL = CHANNELS.flatMap((red) =>
  CHANNELS.flatMap((green) => CHANNELS.map((blue): Color => `#${red}${green}${blue}`)),
);
const READABLE = ALL.map(nearestReadable);

test('a colour has six hexadecimal digits in lower case', () => {
  for (const text of ['#0b6e8b', '#ffffff']) expect(isColor(text), text).toBe(true);
  for (const text of ['0b6e8b', '#0B6E8B', '#fff', '#0b6e8g', '#0b6e8b;', 'red', ''])
    expect(isColor(text), text).toBe(false);
});

test('contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('the colour of the product and dark colours can be read', () => {
  for (const color of [DEFAULT_IDENTITY.color, '#000000', '#7a1f5c', '#1f5f3a'] as const) {
    expect(findColorProblem(color), color).toBeUndefined();
    expect(nearestReadable(color)).toBe(color);
  }
});

test('a colour that cannot be read has a nearest one that can, of the same hue', () => {
  expect(findColorProblem('#ffd400')).toMatchObject({ nearest: '#826c00' });
  for (const color of ALL) {
    const problem = findColorProblem(color);
    if (problem) expect(findColorProblem(problem.nearest), color).toBeUndefined();
  }
});

describe('the shades of every readable colour', () => {
  test('can be read in the light theme', () => {
    for (const color of READABLE) {
      const { light } = shadesOf(color);
      for (const ground of ['#ffffff', '#f5f8fa', light['brand-0']] as const)
        expect(contrastOf(light.link, ground), color).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      for (const button of [light.brand, light['brand-hover']])
        expect(contrastOf(light['brand-ink'], button), color).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }
  });

  test('can be read in the dark theme', () => {
    for (const color of READABLE) {
      const { dark } = shadesOf(color);
      for (const ground of ['#0e1a20', '#15252d', dark['brand-0']] as const)
        expect(contrastOf(dark.link, ground), color).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      for (const button of [dark.brand, dark['brand-hover']])
        expect(contrastOf(dark['brand-ink'], button), color).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }
  });
});
