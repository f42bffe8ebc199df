import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { setPageTitle } from '../hooks/documentTitle.ts';
import { TOWN_NAME } from '../town.ts';
import { Icon } from './icons.tsx';
import styles from './PageHeader.module.css';

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    setPageTitle(`${title} · ${TOWN_NAME}`);
  }, [title]);
}

/** The top of a page: a back link, the title, a subtitle, and actions as `children`. */
export function PageHeader({
  title,
  subtitle,
  back,
  isSmall = false,
  children,
}: {
  title: string;
  subtitle?: ReactNode;
  back?: { to: string; label: string };
  /** For a page whose content says more than its title: on phones one low line. */
  isSmall?: boolean;
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
      <div className={`${styles.head} ${isSmall ? styles.small : ''}`}>
        <div className={styles.titles}>
          <h1 tabIndex={-1}>{title}</h1>
          {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
        </div>
        {children && <div className={styles.actions}>{children}</div>}
      </div>
    </header>
  );
}
