import type { ReactNode } from 'react';
import { Logo } from '../../ui/Logo.tsx';
import { usePageTitle } from '../../ui/PageHeader.tsx';
import { StorageNotice } from '../../ui/StorageNotice.tsx';
import styles from './OperatorFrame.module.css';

/** The frame of the console's pages that need no session: one card. */
export function OperatorFrame({ title, line, children }: { title: string; line?: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <StorageNotice />
        <Logo size={32} />
        <div>
          <h1>{title}</h1>
          {line && <p className={styles.line}>{line}</p>}
        </div>
        {children}
      </main>
    </div>
  );
}

/** Why a request of these pages was refused. */
export function Problem({ text }: { text: string }) {
  return (
    <p className={styles.wrong} role="alert">
      {text}
    </p>
  );
}
