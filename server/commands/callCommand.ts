import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { type CallField, fieldsOf } from '../../contract/operator/actFields.ts';
import { OPERATOR_API, type OperatorCallName } from '../../contract/operator/api.ts';
import type { ActAnswer, OperatorCall } from '../../contract/operator/call.ts';
import type { OperatorClient } from '../../contract/operator/client.ts';
import { CommandError } from './commandError.ts';
import { printAnswer } from './printAnswer.ts';
import { readOptions } from './readOptions.ts';
import { resolveId } from './resolveId.ts';

/** A file that is written on the machine where the command was typed. */
export type CommandFile = { readonly name: string; readonly text: string };

/** A call of the console as a command, with its words and options read from its shape. */
export type CallCommand = {
  readonly command: string;
  readonly name: OperatorCallName;
  readonly call: OperatorCall;
  /** The words after the command: what the path names. */
  readonly words: readonly string[];
  /** The options: the fields of the body or the query. */
  readonly fields: readonly CallField[];
};

/** 'setPrice' becomes 'set-price'. */
export const toKebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What a command cannot do: sign in, and everything about a session or a picture. */
const isCommand = ({ permission, session, answersFile, path }: OperatorCall): boolean =>
  permission !== 'anyone' && !session && !answersFile && !path.includes('/passkeys') && !path.includes('/session');

const shapeOf = (schema: unknown): Record<string, z.ZodType> =>
  ((schema as z.ZodObject | undefined)?.shape ?? {}) as Record<string, z.ZodType>;

export const CALL_COMMANDS: ReadonlyMap<string, CallCommand> = new Map(
  (Object.entries(OPERATOR_API) as [OperatorCallName, OperatorCall][])
    .filter(([, call]) => isCommand(call))
    .map(([name, call]) => {
      const words = [...call.path.matchAll(/:(\w+)/g)].map(([, word = '']) => word);
      const fields = fieldsOf({ ...shapeOf(call.query), ...shapeOf(call.body) });
      return [toKebab(name), { command: toKebab(name), name, call, words, fields }];
    }),
);

/** What was typed after the name of a call. */
export type TypedCall = {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
};

const COMMON = { as: { type: 'string' }, out: { type: 'string' } } as const;

export function readCall({ fields }: CallCommand, typed: readonly string[]): TypedCall {
  const options = Object.fromEntries(
    fields.map(({ name, kind }) => [toKebab(name), { type: kind === 'flag' ? 'boolean' : 'string' } as const]),
  );
  const { positionals, values } = readOptions(() =>
    parseArgs({ args: [...typed], allowPositionals: true, options: { ...options, ...COMMON } }),
  );
  return { words: positionals, values: values as TypedCall['values'] };
}

/** Calls the console, and returns what to print or the file that it made. */
export async function runCall(
  api: OperatorClient,
  command: CallCommand,
  { words, values }: TypedCall,
): Promise<string | CommandFile> {
  const { name, call, fields } = command;
  if (words.length !== command.words.length) throw new CommandError(usageOf(command));
  const ids = await Promise.all(words.map((word) => resolveId(api, call, word)));
  const params = Object.fromEntries(command.words.map((word, index) => [word, ids[index]]));
  const sent = Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[toKebab(field.name)];
      return value === undefined ? [] : [[field.name, call.method === 'GET' ? value : readValue(field, value)]];
    }),
  );
  if (call.act && !String(values.reason ?? '').trim())
    throw new CommandError('--reason is missing: it is written into the audit');
  const send = api[name] as unknown as (input: object) => Promise<unknown>;
  const input = call.method === 'GET' ? { query: sent } : { body: await addLeft(api, command, ids, sent) };
  const answer = await send({ params, ...input });
  if (call.act) return describeAct(answer as ActAnswer);
  if (call.method !== 'GET') return 'Done.';
  return isFile(answer) ? answer : printAnswer(answer);
}

/** Sends the amount left of the order with its refund. The server then refuses the second of two refunds at once. */
async function addLeft(
  api: OperatorClient,
  { name }: CallCommand,
  [id = '']: readonly string[],
  body: Readonly<Record<string, unknown>>,
): Promise<object> {
  if (name !== 'refundOrder' || 'left' in body) return body;
  const { liable, deliveryId } = body as { liable: 'platform'; deliveryId?: string };
  const { left } = await api.previewRefund({
    params: { id },
    query: { liable, ...(deliveryId ? { deliveryId } : {}) },
  });
  return { ...body, left };
}

/** 'set-price <id> --value … --reason …' */
export const usageOf = ({ command, words, fields }: CallCommand): string =>
  [
    command,
    ...words.map((word) => `<${word}>`),
    ...fields.filter(({ isRequired }) => isRequired).map(({ name }) => `--${toKebab(name)} …`),
  ].join(' ');

function readValue({ name, kind }: CallField, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed;
  if (typed === 'none') return null;
  if (kind === 'number') return readNumber(name, typed);
  if (kind === 'choices') return typed.split(',').map((one) => one.trim());
  if (kind === 'other') return readList(name, typed);
  return typed;
}

/** '$12.50', '8.25%' and '12.5' are numbers. */
function readNumber(name: string, typed: string): number {
  const value = Number(typed.replace(/^\$|%$/g, ''));
  if (typed.trim() === '' || Number.isNaN(value)) throw new CommandError(`--${toKebab(name)} must be a number`);
  return value;
}

const PLACE = /^(-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?)$/;

/** A place as '40.7,-74', anything else as JSON. */
function readList(name: string, typed: string): unknown {
  const [, latitude, longitude] = PLACE.exec(typed) ?? [];
  if (latitude !== undefined) return { latitude: Number(latitude), longitude: Number(longitude) };
  try {
    return JSON.parse(typed);
  } catch {
    throw new CommandError(`--${toKebab(name)} must be JSON, or a place like 40.7,-74`);
  }
}

/** The result of an act, or that another operator must approve it first. */
function describeAct({ approvalId, ripensAt }: ActAnswer): string {
  if (approvalId === null) return 'Done.';
  const alone = ripensAt ? ` With one operator, it happens by itself at ${ripensAt}.` : '';
  return `It waits for a second operator, and has not happened yet.${alone} They see it with "list-approvals", and decide with:\napprove ${approvalId} --as <their e-mail> --reason <text>`;
}

const isFile = (answer: unknown): answer is CommandFile =>
  typeof answer === 'object' && answer !== null && 'name' in answer && 'text' in answer;
