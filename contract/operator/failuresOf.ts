import { FAILURES, type Failure } from '../failures.ts';
import type { OperatorCall } from './call.ts';

/** The failures of a call of the console: those that its shape implies, and those that it declares. */
export function failuresOfOperatorCall({
  permission,
  act,
  params,
  query,
  body,
  device,
  failures,
}: OperatorCall): Failure[] {
  const implied: Failure[] = ['notReady', 'broken', 'tooMany'];
  if (permission !== 'anyone') implied.push('unauthenticated');
  if (permission !== 'anyone' && permission !== 'operator') implied.push('noRight');
  if (act?.takesCode) implied.push('codeTooOld');
  if (params || query || body || device) implied.push('invalid');
  if (body) implied.push('notJson', 'tooLarge', 'notJsonType');
  return [...new Set([...implied, ...failures])].toSorted((a, b) => FAILURES[a][0] - FAILURES[b][0]);
}
