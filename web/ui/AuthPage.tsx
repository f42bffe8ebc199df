import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TOWN_NAME } from '../town.ts';
import styles from './AuthPage.module.css';
import { Logo } from './Logo.tsx';
import { usePageTitle } from './PageHeader.tsx';
import { StorageNotice } from './StorageNotice.tsx';

/** The frame of the signed-out forms: logo, one card, the small print. */
export function AuthPage({
  title,
  line,
  tab = title,
  isWide = false,
  children,
}: {
  title?: string;
  line?: string;
  /** The browser tab's title, when it differs from `title`. */
  tab?: string | undefined;
  isWide?: boolean;
  children: ReactNode;
}) {
  usePageTitle(tab ?? 'Welcome');
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" aria-label={TOWN_NAME}>
          <Logo size={36} />
        </Link>
      </header>
      <main className={`${styles.card} ${isWide ? styles.wide : ''}`}>
        <StorageNotice />
        {title && <h1 className={styles.title}>{title}</h1>}
        {line && <p className={styles.line}>{line}</p>}
        {children}
      </main>
      <footer className={styles.foot}>
        <Link className={styles.link} to="/terms">
          Terms of Service
        </Link>
        <Link className={styles.link} to="/privacy">
          Privacy Policy
        </Link>
      </footer>
    </div>
  );
}

/** A result view with links to what is next. */
export function AuthMessage({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className={styles.view} role="status">
      {icon}
      <h1>{title}</h1>
      {children}
    </div>
  );
}
