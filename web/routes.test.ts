import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The pages of the specification (2.1), as the route table has them. */
const OF_THE_SPECIFICATION = [
  ...['/', '/login', '/signup', '/auth/forgot-password', '/auth/reset-password', '/profile', '/faq'],
  ...[
    '/bud',
    '/scrub',
    '/duber',
    'dashboard',
    'place-order',
    'orders',
    'orders/:orderId',
    'deliveries',
    'deliveries/:deliveryId',
    '*',
  ],
];

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('every page beyond the specification stands in decision 129, and it names no page that does not exist', () => {
  const table = read('./routes.tsx');
  // The paths of orders are made of the word of the role.
  const listed = [...table.matchAll(/\bpath: (?:'([^']+)'|`\$\{path\}([^`]*)`)/g)].map(
    ([, path, rest]) => path ?? `orders${rest}`,
  );
  expect(listed.length).toBeGreaterThan(20);
  const beyond = [...new Set(listed)].filter((path) => !OF_THE_SPECIFICATION.includes(path));
  const decided = [...read('../docs/decisions/129-beyond-the-specification.md').matchAll(/^\| `([^`]+)` \|/gm)];
  const pages = decided.map(([, path = '']) => path).filter((path) => !path.startsWith('GET '));
  expect(pages.toSorted()).toEqual(beyond.toSorted());
});
