import type { Permission } from '../../domain/operators.ts';

/** What each right is for. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, { readonly name: string; readonly text: string }>> = {
  see: { name: 'See', text: 'Look at orders, deliveries and people' },
  help: { name: 'Help', text: 'Decide cases, suspend people and reinstate them' },
  dispatch: { name: 'Dispatch', text: "Take an operator's steps, and pause the town" },
  money: { name: 'Money', text: 'Give money back, and send payouts' },
  prices: { name: 'Prices', text: 'Change prices, policies and hours, and close the town' },
  messages: { name: 'Messages', text: 'Write to many people at once' },
  admin: { name: 'Admin', text: 'Invite operators, change rights and limits, and read the audit' },
};
