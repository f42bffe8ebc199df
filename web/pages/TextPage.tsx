import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo } from '../ui/Logo.tsx';
import { usePageTitle } from '../ui/PageHeader.tsx';
import styles from './TextPage.module.css';

/** A page to read, for anyone. */
export function TextPage({
  title,
  subtitle: line,
  children,
}: {
  title: string;
  subtitle: string;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" aria-label="Rubadub">
          <Logo />
        </Link>
      </header>
      <main className={styles.text}>
        <h1>{title}</h1>
        <p className={styles.line}>{line}</p>
        {children}
      </main>
    </div>
  );
}

/** Whom to write to; the address comes from the installation. */
export function SupportEmail({ email: address }: { email: string | undefined }) {
  return address ? <a href={`mailto:${address}`}>{address}</a> : <>the people who run it</>;
}
