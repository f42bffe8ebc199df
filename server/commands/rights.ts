import { CAPS, type Cap } from '../../domain/operators.ts';
import { CommandError } from './commandError.ts';

/** The rights of `--rights see,help`. */
export function parseRights(text: string): Cap[] {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !(CAPS as readonly string[]).includes(word));
  if (wrong !== undefined) throw new CommandError(`a right is one of ${CAPS.join(', ')}, not "${wrong}"`);
  return CAPS.filter((cap) => words.includes(cap));
}
