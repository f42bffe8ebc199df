import { validate } from 'uuid';
import type { OperatorCall } from '../../contract/operator/call.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { caseNumber, parseCaseNumber } from '../../domain/cases.ts';
import { formatOrderNumber, parseOrderNumber } from '../../domain/orders.ts';
import { CommandError } from './commandError.ts';

/** The id of what a word names: an order like R-1042, a case like C-207, an operator by e-mail address, or an id as it is. */
export async function resolveId(api: OperatorClient, { path }: OperatorCall, word: string): Promise<string> {
  if (validate(word)) return word.toLowerCase();
  if (path.startsWith('/operator/cases/')) return findCase(api, word);
  if (path.startsWith('/operator/operators/')) return findOperator(api, word);
  return /^R-?\d/i.test(word) ? findOrder(api, word) : word;
}

async function findOrder(api: OperatorClient, word: string): Promise<string> {
  const number = parseOrderNumber(word);
  const id = number === undefined ? undefined : await findByNumber(api, 'order', formatOrderNumber(number));
  if (id === undefined) throw new CommandError(`there is no order ${word}`);
  return id;
}

async function findCase(api: OperatorClient, word: string): Promise<string> {
  const no = parseCaseNumber(word);
  const id = no === undefined ? undefined : await findByNumber(api, 'case', caseNumber(no));
  if (id === undefined) throw new CommandError(`there is no case "${word}": list-town-cases shows them`);
  return id;
}

async function findOperator(api: OperatorClient, word: string): Promise<string> {
  const { items } = await api.listOperators();
  const operator = items.find(({ email }) => email.toLowerCase() === word.toLowerCase());
  if (!operator) throw new CommandError(`there is no operator with the e-mail "${word}": list-operators shows them`);
  return operator.id;
}

async function findByNumber(api: OperatorClient, kind: 'order' | 'case', q: string): Promise<string | undefined> {
  const { items } = await api.searchTown({ query: { q } });
  return items.find((hit) => hit.kind === kind && hit.by === 'number')?.id;
}
