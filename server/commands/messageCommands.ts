import { type ApiCommand, describeAct, reasonOf } from './apiCommand.ts';
import { CommandError } from './commandError.ts';

export const RESENT = 'The server sends them again within seconds. "messages" lists those that fail again.';

/** The messages named after "messages resend"; undefined for all. */
export function parseResend([action, ...ids]: readonly string[]): string[] | undefined {
  if (action !== 'resend' || ids.length === 0)
    throw new CommandError('messages, messages resend <id>, or messages resend all');
  return ids.length === 1 && ids[0] === 'all' ? undefined : ids;
}

const messages: ApiCommand = async (api, { words, flags }) => {
  const ids = parseResend(words);
  const body = { reason: reasonOf(flags), ...(ids === undefined ? {} : { ids }) };
  return describeAct(await api.resendMessages({ body }), RESENT);
};

export const MESSAGE_COMMANDS: Readonly<Record<string, ApiCommand>> = { messages };
