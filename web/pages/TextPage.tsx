import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TOWN_NAME } from '../town.ts';
import { Logo } from '../ui/Logo.tsx';
import { usePageTitle } from '../ui/PageHeader.tsx';
import styles from './TextPage.module.css';

/** The layout of a public text page. */
export function TextPage({ title, subtitle, children }: { title: string; subtitle: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" aria-label={TOWN_NAME}>
          <Logo />
        </Link>
      </header>
      <main className={styles.text}>
        <h1>{title}</h1>
        <p className={styles.subtitle}>{subtitle}</p>
        {children}
      </main>
    </div>
  );
}

/** The installation's support address. */
export function SupportEmail({ email }: { email: string | undefined }) {
  return email ? <a href={`mailto:${email}`}>{email}</a> : <>the people who run it</>;
}
