import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const CSS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const MIN_CONTRAST = 4.5; // WCAG 2.2 AA

type Tokens = Readonly<Record<string, string>>;

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

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

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
      expect(contrastOf(tokens['--accent'] ?? '', tokens[ground] ?? ''), ground).toBeGreaterThanOrEqual(MIN_CONTRAST);
  });

  test('and differs from that of the others', () => {
    expect(new Set(Object.values(SCHEMES).map((tokens) => tokens['--accent'])).size).toBe(6);
  });
});
