import { PERMISSIONS, type Permission } from '../../domain/operators.ts';
import { CommandError } from './commandError.ts';

/** The rights of `--rights see,help`. */
export function parseRights(text: string): Permission[] {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !(PERMISSIONS as readonly string[]).includes(word));
  if (wrong !== undefined) throw new CommandError(`a right is one of ${PERMISSIONS.join(', ')}, not "${wrong}"`);
  return PERMISSIONS.filter((permission) => words.includes(permission));
}
