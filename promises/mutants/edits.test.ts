import { describe, expect, test } from 'vitest';
import { applyEdit, type Edit } from './edits.ts';

const SOURCE = `
const LIMIT = 5;
export const FLOW = [
  { action: 'start', from: 'Accepted', to: 'Started' },
  { action: 'end', from: 'Started', to: 'Ended' },
];
export async function change(tx: Tx, id: string) {
  await lock(tx, id);
  if (id === '') refuse('empty');
  if (isOpen(id) && !isHeld(id)) refuse('open');
  const kinds = ['one', 'two', 'three'];
  return tx.selectFrom('orders').where('id', '=', id).where('state', '=', 'open').execute(kinds);
}
const find = (id: string) => sql\`select *
  from orders where id = \${id}
    and state = 'open'\`;
const ACTS = { pay: { needsApproval: () => true, run: async (input: { sum: number }) => { return input.sum; } } };
`;

const edited = (symbol: string | undefined, edit: Edit, text = SOURCE, file = 'server/some.ts') =>
  applyEdit({ file, text }, symbol, edit);

/** The lines that an edit writes in the place of others. */
function newLines(symbol: string, edit: Edit): string {
  const before = new Set(SOURCE.split('\n'));
  return edited(symbol, edit)
    .split('\n')
    .filter((line) => !before.has(line))
    .map((line) => line.trim())
    .join('\n');
}

describe('an edit inside a symbol', () => {
  test('gives a const another value', () => {
    expect(newLines('LIMIT', { becomes: '500' })).toBe('const LIMIT = 500;');
  });

  test('gives a function another result', () => {
    expect(newLines('find', { becomes: 'undefined' })).toBe('const find = (id: string) => (undefined);');
    expect(newLines('ACTS.pay.run', { becomes: '0' })).toContain('(input: { sum: number }) => { return 0; }');
  });

  test('gives a property of one row another value', () => {
    expect(newLines('FLOW[end]', { set: ['from', "'Accepted'"] })).toBe(
      "{ action: 'end', from: 'Accepted', to: 'Ended' },",
    );
  });

  test('leaves a property out', () => {
    expect(newLines('ACTS.pay', { without: 'needsApproval' })).toContain('{ pay: { run: async');
  });

  test('leaves a call out together with its await', () => {
    expect(edited('change', { skip: 'lock' })).not.toContain('lock');
  });

  test('leaves out the call with one first argument, and keeps the others', () => {
    expect(newLines('change', { skip: 'refuse[empty]' })).toBe("if (id === '') ;");
  });

  test('leaves one call out of the chain of a query', () => {
    expect(newLines('change', { skip: 'where[id]' })).toBe(
      "return tx.selectFrom('orders').where('state', '=', 'open').execute(kinds);",
    );
  });

  test('leaves a condition out together with its operator', () => {
    expect(newLines('change', { remove: '!isHeld(id)' })).toBe("if (isOpen(id)) refuse('open');");
    expect(newLines('change', { remove: 'isOpen(id)' })).toBe("if (!isHeld(id)) refuse('open');");
  });

  test('leaves an element out together with its comma', () => {
    expect(newLines('change', { remove: "'two'" })).toBe("const kinds = ['one', 'three'];");
    expect(newLines('change', { remove: "'three'" })).toBe("const kinds = ['one', 'two'];");
  });

  test('leaves a statement out', () => {
    expect(edited('change', { remove: "if (id === '') refuse('empty');" })).not.toContain("'empty'");
  });

  test('finds a part of a query whatever its spaces and lines', () => {
    expect(newLines('find', { replace: ["where id = ${id} and state = 'open'", 'where true'] })).toBe(
      'from orders where true`;',
    );
  });

  test('changes a file that is not code', () => {
    expect(edited(undefined, { replace: ['commit: on', 'commit: off'] }, 'a: 1\ncommit: on\n', 'some.yml')).toBe(
      'a: 1\ncommit: off\n',
    );
  });
});

describe('an edit is refused', () => {
  const refusals: [why: string, symbol: string | undefined, edit: Edit, message: string][] = [
    ['when its symbol is missing', 'CEILING', { becomes: '1' }, 'CEILING is missing'],
    ['when its row is missing', 'FLOW[stop]', { without: 'to' }, '[stop] is missing'],
    ['when its property is missing', 'ACTS.pay', { set: ['sum', '1'] }, 'the property sum is missing'],
    ['when two rows have its property', 'FLOW', { without: 'to' }, 'the property to is ambiguous'],
    ['when its call is missing', 'change', { skip: 'unlock' }, 'the call of unlock is missing'],
    ['when there are two such calls', 'change', { skip: 'refuse' }, 'the call of refuse is ambiguous'],
    ['when its text is missing', 'find', { remove: 'for update' }, 'the text "for update" is missing'],
    ['when its text is a part of a word', 'find', { remove: 'order' }, 'the text "order" is missing'],
    ['when its text is ambiguous', 'change', { replace: ["'open'", "'held'"] }, `the text "'open'" is ambiguous`],
    ['when it changes nothing', 'LIMIT', { becomes: '5' }, 'the edit changes nothing'],
    ['when the file is not valid after it', 'LIMIT', { becomes: '=' }, 'the file is not valid'],
    ['when code has no symbol', undefined, { remove: '5' }, 'a symbol is missing'],
  ];

  test.each(refusals)('%s', (_why, symbol, edit, message) => {
    expect(() => edited(symbol, edit)).toThrow(message);
  });
});
