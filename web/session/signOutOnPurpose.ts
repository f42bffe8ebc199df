import { readSession } from '../api/currentSession.ts';
import { countWaitingSteps } from '../offline/storedSteps.ts';
import { ask } from '../ui/ask.ts';
import { leaveWithoutAlert } from './SessionGate.tsx';
import { signOut } from './session.ts';

/** Signs out. Steps that were not sent yet are lost with it, so their Duber is asked before. */
export async function signOutOnPurpose(): Promise<void> {
  const { user } = readSession();
  const waiting = user?.role === 'Duber' ? await countWaitingSteps(user.id).catch(() => 0) : 0;
  const question = { title: 'Sign out?', text: lossOf(waiting), button: 'Sign Out Anyway', isDestructive: true };
  if (waiting === 0 || (await ask(question))) leaveWithoutAlert(signOut);
}

export const lossOf = (waiting: number): string => {
  const [steps, them] = waiting === 1 ? ['1 step was', 'it'] : [`${waiting} steps were`, 'them'];
  return `${steps} not sent yet. Signing out deletes ${them} on this phone, and you may not be paid for the trip.`;
};
