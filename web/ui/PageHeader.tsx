import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { setPageTitle } from '../hooks/documentTitle.ts';
import { Icon } from './icons.tsx';
import styles from './PageHeader.module.css';

/** Names the browser's tab after the page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    setPageTitle(`${title} · Rubadub`);
  }, [title]);
}

/** The top of a page: where back leads, the title, one quiet line, and what can be done at the right. */
export function PageHeader({
  title,
  subtitle: line,
  back,
  children,
}: {
  title: string;
  subtitle?: ReactNode;
  back?: { to: string; label: string };
  children?: ReactNode;
}) {
  usePageTitle(title);
  return (
    <header>
      {back && (
        <Link className={styles.back} to={back.to}>
          <Icon name="back" size={18} />
          {back.label}
        </Link>
      )}
      <div className={styles.head}>
        <div className={styles.words}>
          <h1 tabIndex={-1}>{title}</h1>
          {line && <p className={styles.line}>{line}</p>}
        </div>
        {children && <div className={styles.actions}>{children}</div>}
      </div>
    </header>
  );
}
