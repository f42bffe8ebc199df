import type { ReactNode } from 'react';
import type { Role } from '../../domain/accounts.ts';

export type RoleDescription = { readonly role: Role; readonly tagline: string; readonly description: string };

// spec 1
export const ROLE_DESCRIPTIONS: readonly RoleDescription[] = [
  {
    role: 'Bud',
    tagline: 'Order and relax',
    description: 'Get laundry done by professional providers, picked up and brought back to your door.',
  },
  {
    role: 'Scrub',
    tagline: 'Wash and earn',
    description: 'Offer laundry services and earn money on your own schedule.',
  },
  { role: 'Duber', tagline: 'Drive and earn', description: 'Deliver laundry and earn money with flexible hours.' },
];

const DRAWINGS: Record<Role, ReactNode> = {
  Bud: (
    <>
      <path d="M18 26h28l-3 22H21z" fill="#ffffff" stroke="var(--mark)" />
      <path d="M22 26c0-7 4-12 10-12s10 5 10 12" fill="none" stroke="var(--mark)" />
      <path d="M26 34v8M32 34v8M38 34v8" stroke="var(--mark)" />
    </>
  ),
  Scrub: (
    <>
      <rect x="17" y="12" width="30" height="40" rx="5" fill="#ffffff" stroke="var(--mark)" />
      <circle cx="32" cy="34" r="10" fill="#d0ebf3" stroke="var(--mark)" />
      <path d="M24 35c3-3 5 3 8 0s5 3 8 0" fill="none" stroke="var(--mark)" />
      <path d="M22 18h6M40 18h2" stroke="var(--mark)" />
    </>
  ),
  Duber: (
    <>
      <path d="M10 22h26v22H10zM36 29h10l8 8v7H36" fill="#ffffff" stroke="var(--mark)" />
      <circle cx="20" cy="46" r="5" fill="#f7c948" stroke="var(--mark)" />
      <circle cx="44" cy="46" r="5" fill="#f7c948" stroke="var(--mark)" />
    </>
  ),
};

/** The illustration of a role. */
export function RoleDrawing({ role, className }: { role: Role; className?: string | undefined }) {
  return (
    <svg
      className={className}
      viewBox="0 0 64 64"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect width="64" height="64" rx="16" fill="#d0ebf3" />
      {DRAWINGS[role]}
    </svg>
  );
}
