import { CommandError } from './commandError.ts';

export function parseCents(text: string): number {
  if (!/^\$?\d{1,7}(\.\d{1,2})?$/.test(text)) throw new CommandError(`"${text}" is not an amount in dollars`);
  return Math.round(Number(text.replace('$', '')) * 100);
}
