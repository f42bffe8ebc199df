import type { ActAnswer } from '../../contract/operator/call.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { PRICE_ITEMS, toDollars } from '../../domain/payments.ts';
import { DELIVERY_TOWN_ROWS } from '../../domain/process/delivery.ts';
import { ORDER_TOWN_ROWS } from '../../domain/process/order.ts';
import { type ApiCommand, describeAct, reasonOf } from './apiCommand.ts';
import { describeDecision, NO_CASE_COMMAND, parseItems, readCaseArguments, readCaseReason } from './caseArguments.ts';
import { CommandError } from './commandError.ts';
import { findCaseId, findOrderId } from './findOrderOrCase.ts';
import { parsePlace } from './flags.ts';
import { readTypedPrice } from './priceCommand.ts';

const price: ApiCommand = async (api, { words: [word = '', typed = ''], flags }) => {
  const item = PRICE_ITEMS.find((one) => one === word);
  if (!item) throw new CommandError(`an item is one of ${PRICE_ITEMS.join(', ')}`);
  const value = readTypedPrice(item, typed);
  const { from } = flags;
  const body = { value, reason: reasonOf(flags), ...(from === undefined ? {} : { from }) };
  const answer = await api.setPrice({ params: { id: item }, body });
  return describeAct(answer, `${item} is ${typed} from ${from ?? 'tomorrow'} on.`);
};

type PolicyBody = Parameters<OperatorClient['setPolicy']>[0];

const policy: ApiCommand = async (api, { words: [name = '', value = ''], flags }) => {
  const input = { params: { id: name }, body: { value, reason: reasonOf(flags) } };
  return describeAct(await api.setPolicy(input as PolicyBody), `${name} is ${value} from tomorrow on.`);
};

const preset: ApiCommand = async (api, { words: [word = ''], flags }) => {
  const body = { preset: word as 'open', reason: reasonOf(flags) };
  return describeAct(await api.setPreset({ body }), `The preset ${word} holds from tomorrow on.`);
};

const SUBJECTS = [
  { kind: 'order', actions: ORDER_TOWN_ROWS.map(({ action }) => action as string) },
  { kind: 'delivery', actions: DELIVERY_TOWN_ROWS.map(({ action }) => action as string) },
] as const;

/** The action says whether it is of an order or of a delivery. */
const step: ApiCommand = async (api, { words: [word, action = ''], flags }) => {
  const subject = SUBJECTS.find(({ actions }) => actions.includes(action));
  if (!subject)
    throw new CommandError(
      SUBJECTS.map(
        ({ kind, actions }) =>
          `the steps of ${kind === 'order' ? 'an order' : 'a delivery'} are ${[...new Set(actions)].join(', ')}`,
      ).join('; '),
    );
  const id = await findOrderId(api, word);
  const { reason: why, words, liable, home } = flags;
  const place = parsePlace(flags.latitude, flags.longitude);
  const body = {
    ...{ why, reason: reasonOf({ reason: [why, words].filter(Boolean).join(': ') }) },
    ...(words === undefined ? {} : { words }),
    ...(liable === undefined ? {} : { waysPaidBy: liable }),
    ...(home === undefined ? {} : { wayHome: home }),
    ...(place === undefined ? {} : { place }),
  };
  // The contract of every step has this form, and the server checks what was typed.
  const take = api[`${subject.kind}-${action}` as 'order-reopen'] as (input: object) => Promise<ActAnswer>;
  return describeAct(await take({ params: { id }, body }), `Done: ${action}. Its people are notified.`);
};

const decideOrClose: ApiCommand = async (api, { rest }) => {
  const { action, number, values } = readCaseArguments(rest);
  if (action !== 'decide' && action !== 'close') throw new CommandError(NO_CASE_COMMAND);
  const words = readCaseReason(values.reason);
  const params = { id: await findCaseId(api, number) };
  const body = { words, reason: words };
  if (action === 'close') return describeAct(await api.closeCase({ params, body }), `${number} is closed.`);
  const decided = parseItems(values);
  const items = decided.map(({ cents, ...item }) => ({ ...item, amount: toDollars(cents) }));
  const answer = await api.decideCase({ params, body: { ...body, items } });
  return describeAct(answer, `${number} is decided: ${describeDecision(decided)}.`);
};

export const TOWN_COMMANDS: Readonly<Record<string, ApiCommand>> = { price, policy, preset, step, case: decideOrClose };
