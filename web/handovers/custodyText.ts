import type { Custody } from '../../contract/handovers.ts';
import type { Role } from '../../domain/accounts.ts';
import { formatDate } from '../ui/format.ts';

/** "With Alan Duber since 10:42, 2 bags." */
export function custodyText({ holder, since, bags }: Pick<Custody, 'holder' | 'since' | 'bags'>, viewer: Role): string {
  const who = holder.role === viewer ? 'you' : holder.fullname;
  const when = since === null ? '' : ` since ${formatDate(since)}`;
  const count = bags === null ? '' : `, ${bags} ${bags === 1 ? 'bag' : 'bags'}`;
  return `With ${who}${when}${count}.`;
}
