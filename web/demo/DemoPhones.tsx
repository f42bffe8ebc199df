import { useQueries } from '@tanstack/react-query';
import { Link, Navigate } from 'react-router';
import { createClient } from '../../contract/client.ts';
import type { DemoAccount } from '../../contract/payments.ts';
import { homePathOf, type Role } from '../../domain/accounts.ts';
import { phoneToken } from '../api/client.ts';
import { useConfig } from '../api/config.ts';
import { phoneNameOf } from '../storage/scope.ts';
import { TOWN_NAME } from '../town.ts';
import { Logo } from '../ui/Logo.tsx';
import { usePageTitle } from '../ui/PageHeader.tsx';
import styles from './DemoPhones.module.css';

const WHAT_TO_DO: Record<Role, string> = {
  Bud: 'Place an order with this Scrub, and follow it',
  Scrub: 'Accept the order, and wash it',
  Duber: 'Carry it both ways',
};

/** The three people of the demo side by side, each signed in on a phone of their own. */
export function DemoPhones() {
  usePageTitle('The demo on three phones');
  const config = useConfig();
  const accounts = config?.demoAccounts ?? [];
  const people = useQueries({
    queries: accounts.map((account) => ({
      queryKey: ['demo', 'phone', account.email],
      queryFn: () => signInPhone(account),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (config && accounts.length === 0 && !config.isDemoPreparing) return <Navigate to="/" replace />;
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" aria-label={TOWN_NAME}>
          <Logo />
        </Link>
        <p>Place an order on the first phone, and follow it through all three.</p>
      </header>
      <main className={styles.phones}>
        <h1 className="sr-only">The demo on three phones</h1>
        {accounts.map((account, i) => (
          <Phone key={account.role} role={account.role} fullname={people[i]?.data} hasFailed={people[i]?.isError} />
        ))}
      </main>
    </div>
  );
}

type PhoneProps = {
  readonly role: Role;
  readonly fullname: string | undefined;
  readonly hasFailed: boolean | undefined;
};

function Phone({ role, fullname, hasFailed = false }: PhoneProps) {
  return (
    <section className={styles.phone} data-role={role} aria-label={`${role}’s phone`}>
      <h2>
        {role} <span className={styles.name}>{fullname}</span>
      </h2>
      <p>{WHAT_TO_DO[role]}</p>
      {hasFailed && <p role="alert">This person cannot sign in now. Reload the page to try again.</p>}
      {fullname !== undefined && (
        // The query keeps the browser from taking the page for one that contains itself.
        <iframe name={phoneNameOf(role)} title={`${role}’s phone`} src={`/?phone=${role}#${homePathOf(role)}`} />
      )}
    </section>
  );
}

/** Signs the phone in unless it still is, and returns whose phone it is. */
async function signInPhone({ role, email, password }: DemoAccount): Promise<string> {
  const phone = phoneNameOf(role);
  const kept = phoneToken.read(phone);
  const known = kept === undefined ? undefined : createClient('/api', () => kept).session();
  const session = await known?.catch(() => undefined);
  if (session?.user.email === email) return session.user.fullname;
  const { authToken, user } = await createClient('/api', () => undefined).login({ body: { email, password } });
  phoneToken.save(phone, authToken);
  return user.fullname;
}
