import { useLayoutEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import type { OperatorSession } from '../../../contract/operator/session.ts';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useFocusMainOnNavigation } from '../../hooks/focusMain.ts';
import { ColorSchemeToggle } from '../../ui/ColorSchemeToggle.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LogoMark } from '../../ui/Logo.tsx';
import nav from '../../ui/navLink.module.css';
import { StorageNotice } from '../../ui/StorageNotice.tsx';
import { signOutOperator } from '../operatorSession.ts';
import { TownState } from '../settings/TownState.tsx';
import styles from './OperatorShell.module.css';
import type { Screen } from './screens.tsx';

type ShellProps = { screens: readonly Screen[]; session: OperatorSession };

/** The layout of the console: the pages on the left, or behind a button on phones. */
export function OperatorShell({ screens, session }: ShellProps) {
  useFocusMainOnNavigation();
  const isCompact = useIsCompact();
  return (
    <div className={styles.shell}>
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      {!isCompact && (
        <div className={styles.side}>
          <Brand />
          <Pages screens={screens} session={session} />
        </div>
      )}
      <header className={styles.head}>
        {isCompact && <Menu screens={screens} session={session} />}
        <TownState />
        <span className={styles.spacer} />
        <ColorSchemeToggle />
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        <StorageNotice />
        <Outlet />
      </main>
    </div>
  );
}

function Brand() {
  return (
    <p className={styles.brand}>
      <LogoMark size={30} />
      Rubadub Console
    </p>
  );
}

function Menu(props: ShellProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    if (pathname && sheet.current?.matches(':popover-open')) sheet.current.hidePopover();
  }, [pathname]);
  return (
    <>
      <button type="button" className={styles.menu} popoverTarget="pages">
        <Icon name="list" />
        Pages
      </button>
      <div id="pages" ref={sheet} popover="auto" className={styles.sheet}>
        <Brand />
        <Pages {...props} />
      </div>
    </>
  );
}

function Pages({ screens, session }: ShellProps) {
  const { fullname, email } = session.operator;
  return (
    <>
      <nav className={styles.links} aria-label="Pages">
        {screens.map(({ path, label, icon }) => (
          <NavLink key={path} to={`/operator/${path}`} className={nav.link ?? ''}>
            <Icon name={icon} />
            {label}
          </NavLink>
        ))}
      </nav>
      <div className={styles.foot}>
        <p className={styles.person} title={email}>
          {fullname}
        </p>
        <button type="button" className={nav.link} onClick={signOutOperator}>
          <Icon name="logout" />
          Sign out
        </button>
      </div>
    </>
  );
}
