import { orNotFound, refuse } from '../http/refusals.ts';
import type { Acts } from '../operatorContext.ts';
import { checkErasureStep, takeErasureStep } from '../personal/erasureSteps.ts';
import { findPerson } from './people.sql.ts';
import { queueLiftedMail, queueRestrictionMail, queueSignedOutMail } from './peopleMails.ts';
import { findSuspension, liftRestriction, lockPerson } from './restrictions.sql.ts';
import { restrictPerson, signOut, suspendPerson, updateScrubVisibility } from './suspend.ts';
import { takeSuspensionStep } from './suspensionSteps.ts';

type PeopleActs = Pick<
  Acts,
  | 'showContact'
  | 'suspend'
  | 'reinstate'
  | 'extendSuspension'
  | 'holdPerson'
  | 'liftHold'
  | 'signOutPerson'
  | 'notePerson'
  | 'erasePerson'
>;

/** An act that only writes its row in the audit, about an existing person. */
const onlyWrite: PeopleActs['notePerson'] = {
  run: async ({ context: { db }, params: { id } }) => {
    const { fullname } = orNotFound(await findPerson(db, id));
    return { details: { fullname } };
  },
};

export const PEOPLE_ACTS: PeopleActs = {
  notePerson: onlyWrite,
  // The row in the audit is what allows the operator to read the contact: see readContact.
  showContact: { run: (input) => onlyWrite.run(input as never) },
  erasePerson: {
    check: async ({ context, operator, params: { id } }) => {
      await checkErasureStep(context, { role: 'Operator', id: operator.id }, { id, action: 'ask-erase' });
    },
    run: async ({ context, operator, params: { id } }) => {
      const actor = { role: 'Operator', id: operator.id } as const;
      const { dueAt } = await takeErasureStep(context, actor, { id, action: 'ask-erase' });
      return { details: { until: dueAt.toISOString() } };
    },
  },
  suspend: {
    run: async ({ context, operator, params: { id }, body }) => ({
      details: await suspendPerson(context, { operator, id, request: body }),
    }),
  },
  reinstate: {
    // Of several operators it is another one who does it: see the needs of its row.
    needsApproval: async ({ context: { db }, operator, runsAlone, params: { id } }) =>
      runsAlone && (await findSuspension(db, id))?.setBy === operator.id,
    run: async ({ context, operator, runsAlone, params: { id } }) => {
      const actor = { role: 'Operator', id: operator.id } as const;
      const { person, suspension } = await takeSuspensionStep(context, actor, { id, action: 'reinstate', runsAlone });
      const { setByName: suspendedBy, fromAt } = suspension;
      return { details: { suspendedBy, since: fromAt.toISOString(), fullname: person.fullname } };
    },
  },
  extendSuspension: {
    run: async ({ context, operator, params: { id }, body: { until, reason } }) => {
      const request = { id, action: 'extend', until: new Date(until), reason } as const;
      const { suspension } = await takeSuspensionStep(context, { role: 'Operator', id: operator.id }, request);
      return { details: { before: suspension.untilAt.toISOString() } };
    },
  },
  holdPerson: {
    run: async ({ context, operator, params: { id }, body: { kind, reason } }) => {
      const person = orNotFound(await lockPerson(context.db, id));
      await restrictPerson(context, person, { kind, reason, by: operator.id, suspensionId: null });
      await queueRestrictionMail(context, person, { kind, reason });
      return { details: { fullname: person.fullname } };
    },
  },
  liftHold: {
    needsApproval: ({ body: { kind } }) => kind === 'payout',
    run: async ({ context, operator, params: { id }, body: { kind } }) => {
      const { db, now } = context;
      const person = orNotFound(await lockPerson(db, id));
      if (!(await liftRestriction(db, id, kind, { by: operator.id, at: now() })))
        refuse('wrongStatus', { message: 'There is no such hold, or it belongs to the suspension and ends with it' });
      await updateScrubVisibility(db, person);
      await queueLiftedMail(context, person, kind);
      return { details: { fullname: person.fullname } };
    },
  },
  signOutPerson: {
    run: async ({ context, params: { id }, body: { reason } }) => {
      const person = orNotFound(await lockPerson(context.db, id));
      await signOut(context, id);
      await queueSignedOutMail(context, person, reason);
      return { details: { fullname: person.fullname } };
    },
  },
};
