import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CSS = readFileSync(join(import.meta.dirname, 'Shell.module.css'), 'utf8');
const PHONES = CSS.slice(CSS.indexOf('@media (max-width: 61.99em)'), CSS.indexOf('@media print'));
const PIXELS_OF_REM = 16;
/** The coloured line at its top and the border at its bottom. */
const EDGES = 3 + 1;

/** A number of a rule: the last one for phones, or else the one for all screens. */
function numberOf(selector: string, property: string): number {
  const rules = [CSS, PHONES].flatMap((css) => [...css.matchAll(new RegExp(`\\n *\\${selector} \\{([^}]*)\\}`, 'g'))]);
  const values = rules.flatMap(([, rule = '']) => new RegExp(`\\s${property}: ([\\d.]+)`).exec(rule)?.[1] ?? []);
  return Number(values.at(-1));
}

test('the longest name and the role fit into the header of a phone, so that the first line is never cut', () => {
  const lineOf = (selector: string) =>
    numberOf(selector, 'font-size') * PIXELS_OF_REM * numberOf(selector, 'line-height');
  const height = numberOf('.name', '-webkit-line-clamp') * lineOf('.name') + lineOf('.personRole');
  expect(height).toBeLessThanOrEqual(numberOf('.personText', 'max-height'));
  expect(numberOf('.personText', 'max-height')).toBeLessThanOrEqual(numberOf('.head', 'height') - EDGES);
});
