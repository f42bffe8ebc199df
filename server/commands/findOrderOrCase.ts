import { validate } from 'uuid';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { caseNumber, parseCaseNumber } from '../../domain/cases.ts';
import { formatOrderNumber, parseOrderNumber } from '../../domain/orders.ts';
import { CommandError } from './commandError.ts';

/** The id of an order from its number, or any id as it is. */
export async function findOrderId(api: OperatorClient, word = ''): Promise<string> {
  if (validate(word)) return word.toLowerCase();
  const number = parseOrderNumber(word);
  if (number === undefined) throw new CommandError(`"${word}" is neither an order like R-1042 nor an id`);
  const id = await findByNumber(api, 'order', formatOrderNumber(number));
  if (id === undefined) throw new CommandError(`there is no order ${formatOrderNumber(number)}`);
  return id;
}

export async function findCaseId(api: OperatorClient, word: string): Promise<string> {
  const no = parseCaseNumber(word);
  const id = no === undefined ? undefined : await findByNumber(api, 'case', caseNumber(no));
  if (id === undefined) throw new CommandError(`there is no case "${word}": case list shows them`);
  return id;
}

async function findByNumber(api: OperatorClient, kind: 'order' | 'case', q: string): Promise<string | undefined> {
  const { items } = await api.searchTown({ query: { q } });
  return items.find((hit) => hit.kind === kind && hit.by === 'number')?.id;
}
