import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Color, contrastOf, shadesOf, TEXT_CONTRAST } from '../../domain/colors.ts';
import { DEFAULT_IDENTITY } from '../../domain/identity.ts';

const CSS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

type Tokens = Readonly<Record<string, string>>;
const colorOf = (tokens: Tokens, name: string) => (tokens[name] ?? '#') as Color;

/** The custom properties of the rule with exactly this selector. */
function tokensOf(selector: string): Tokens {
  const start = CSS.split('\n').findIndex((line) => line.trim() === `${selector} {`);
  const lines = CSS.split('\n').slice(start + 1);
  const rule = lines.slice(
    0,
    lines.findIndex((line) => line.trim() === '}'),
  );
  expect(start, `${selector} is in tokens.css`).toBeGreaterThanOrEqual(0);
  return Object.fromEntries(
    [...rule.join('\n').matchAll(/(--[\w-]+): (#\w{6});/g)].map(([, name, value]) => [name, value]),
  );
}

const DARK = ':root[data-mantine-color-scheme="dark"]';
const light = tokensOf(':root');
const dark = { ...light, ...tokensOf(DARK) };
const SCHEMES: Readonly<Record<string, Tokens>> = {
  'a Bud, light': light,
  'a Bud, dark': dark,
  'a Scrub, light': { ...light, ...tokensOf('[data-role="Scrub"]') },
  'a Scrub, dark': { ...dark, ...tokensOf(`${DARK} [data-role="Scrub"]`) },
  'a Duber, light': { ...light, ...tokensOf('[data-role="Duber"]') },
  'a Duber, dark': { ...dark, ...tokensOf(`${DARK} [data-role="Duber"]`) },
};

test('letters have one of six sizes, on every screen', () => {
  const names = [...CSS.matchAll(/--size-(\w+):/g)].map(([, name]) => name);
  expect(names).toHaveLength(6);
  const size = `var\\(--size-(?:${names.join('|')})\\)`;
  const allowed = new RegExp(`^font(?:-size)?: (?:inherit|${size}|min\\(${size}, [\\d.]+vw\\)|\\d+ ${size} / .*);$`);
  const web = join(import.meta.dirname, '..');
  const others = globSync('**/*.css', { cwd: web }).flatMap((file) =>
    [...readFileSync(join(web, file), 'utf8').matchAll(/^ *(font(?:-size)?: .*)$/gm)]
      .map(([, declaration = '']) => declaration)
      .filter((declaration) => !allowed.test(declaration))
      .map((declaration) => `${file}: ${declaration}`),
  );
  expect(others).toEqual([]);
});

describe('the colour of a role can be read', () => {
  test.each(Object.entries(SCHEMES))('by %s', (_name, tokens) => {
    for (const ground of ['--card', '--accent-ground', '--page'])
      expect(contrastOf(colorOf(tokens, '--accent'), colorOf(tokens, ground)), ground).toBeGreaterThanOrEqual(
        TEXT_CONTRAST,
      );
  });

  test('and differs from that of the others', () => {
    expect(new Set(Object.values(SCHEMES).map((tokens) => tokens['--accent'])).size).toBe(6);
  });
});

test('a town with another colour changes tokens that exist', () => {
  const { light: ofTown, dark: ofTownAtNight } = shadesOf(DEFAULT_IDENTITY.color);
  for (const name of [...Object.keys(ofTown), ...Object.keys(ofTownAtNight)])
    expect(Object.keys(light)).toContain(`--${name}`);
});
