declare const brand: unique symbol;

/** The id of an operator whose token was checked. */
export type OperatorId = string & { readonly [brand]: 'Operator' };

/** What an operator may do. Each call of the console needs one of these. */
export const PERMISSIONS = ['see', 'help', 'dispatch', 'money', 'prices', 'messages', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Someone who runs the town, with the rights that they have at this moment. */
export type Operator = { readonly id: OperatorId; readonly fullname: string; readonly caps: readonly Permission[] };

/** The user of the machine, who counts as the first operator on the command line until there is one. They have no account. */
const MACHINE_USER_ID = '00000000-0000-0000-0000-000000000000';

export const machineUser = (fullname: string): Operator => ({
  id: MACHINE_USER_ID as OperatorId,
  fullname,
  caps: PERMISSIONS,
});

export const isMachineUser = ({ id }: Pick<Operator, 'id'>): boolean => id === MACHINE_USER_ID;

/** The id of an operator for what is stored; null for the user of the machine, who has no account. */
export const accountIdOf = (operator: Pick<Operator, 'id'>): OperatorId | null =>
  isMachineUser(operator) ? null : operator.id;

/** An operator signs in again after this time. */
export const OPERATOR_SESSION_MAX_AGE_S = 12 * 60 * 60;
/** A session that is not used for this long ends. */
export const OPERATOR_SESSION_IDLE_S = 30 * 60;
/** Calls that touch money take a code that was entered within this time. */
export const CODE_AGE_S = 15 * 60;
/** The link of an invitation works for this long. */
export const INVITATION_LIFETIME_S = 7 * 24 * 60 * 60;
/** A code of an authenticator app is valid for this long. */
export const CODE_PERIOD_S = 30;

/** A browser is asked to use or make a passkey, and answers within this time. */
export const PASSKEY_CHALLENGE_S = 5 * 60;
/** Passkeys of one operator. */
export const MAX_PASSKEYS = 10;
export const PASSKEY_NAME_MAXIMUM = 60;

export const REASON_MAXIMUM = 500;

/** The name in the audit for automatic decisions. No operator may have it. */
export const TOWN_NAME = 'The town';
