import { useEffect, useRef } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { homeOf } from '../../domain/accounts.ts';
import { leaveQuietly } from '../accounts/SessionGate.tsx';
import { signOut, useUser } from '../accounts/session.ts';
import { SoundToggle } from '../live/SoundToggle.tsx';
import { OfflineLine } from '../offline/OfflineLine.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { Icon } from '../ui/icons.tsx';
import { Logo, Mark } from '../ui/Logo.tsx';
import { ENTRIES, type Entry, FOOT } from './navigation.ts';
import { SchemeToggle } from './SchemeToggle.tsx';
import styles from './Shell.module.css';
import { StandInMark } from './StandInMark.tsx';
import { VisibilitySwitch } from './VisibilitySwitch.tsx';

/** The frame of every signed-in screen: a sidebar on desktops, a bottom bar on phones. */
export function Shell() {
  useFocusOnMove();
  return (
    <div className={styles.shell}>
      <button type="button" className="skip-link" onClick={skipToMain}>
        Skip to content
      </button>
      <Sidebar />
      <Header />
      <main id="main" tabIndex={-1} className={styles.main}>
        <OfflineLine />
        <Outlet />
      </main>
      <BottomBar />
    </div>
  );
}

// The address's hash belongs to the router, so this is a button and not a link to #main.
function skipToMain(): void {
  document.getElementById('main')?.focus();
}

/** After a move to another screen the focus and the scroll are at its top, as after loading a page. */
function useFocusOnMove(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname]);
}

function Sidebar() {
  const user = useUser();
  return (
    <div className={styles.side}>
      <nav className={styles.links} aria-label="Main">
        <div className={styles.brand}>
          <Link to={homeOf(user.role)} aria-label="Rubadub">
            <Logo />
          </Link>
          <span className={styles.role}>{user.role} Dashboard</span>
        </div>
        {ENTRIES[user.role].map((entry) => (
          <SideLink key={entry.to} entry={entry} />
        ))}
      </nav>
      <nav className={styles.foot} aria-label="Account">
        {FOOT.map((entry) => (
          <SideLink key={entry.to} entry={entry} />
        ))}
        <LogoutButton />
      </nav>
    </div>
  );
}

function SideLink({ entry }: { entry: Entry }) {
  return (
    <NavLink to={entry.to} className={styles.link ?? ''}>
      <Icon name={entry.icon} />
      {entry.label}
    </NavLink>
  );
}

function LogoutButton() {
  return (
    <button type="button" className={styles.link} onClick={() => leaveQuietly(signOut)}>
      <Icon name="logout" />
      Logout
    </button>
  );
}

function Header() {
  const user = useUser();
  return (
    <header className={styles.head}>
      <Link to={homeOf(user.role)} className={styles.mark} aria-label="Rubadub">
        <Mark size={34} />
      </Link>
      <StandInMark className={styles.stand ?? ''} />
      {/* On the left: at the right, the toast that answers the switch would lie on it. */}
      {user.role === 'Scrub' && <VisibilitySwitch isActive={user.isActive} />}
      <span className={styles.space} />
      {user.role !== 'Bud' && (
        <div className={styles.wideOnly}>
          <SoundToggle />
        </div>
      )}
      <div className={styles.wideOnly}>
        <SchemeToggle />
      </div>
      <div className={styles.person}>
        <div className={styles.words}>
          <p className={styles.name} title={user.fullname}>
            {user.fullname}
          </p>
          <p className={styles.roleWord}>{user.role}</p>
        </div>
        <Avatar name={user.fullname} size={38} />
      </div>
    </header>
  );
}

function BottomBar() {
  const user = useUser();
  const sheet = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    if (sheet.current?.matches(':popover-open')) sheet.current.hidePopover();
  }, [pathname]);
  return (
    <>
      <nav className={styles.bottom} aria-label="Main">
        {ENTRIES[user.role].map((entry) => (
          <NavLink key={entry.to} to={entry.to} className={styles.tab ?? ''}>
            <Icon name={entry.icon} size={22} />
            {entry.label}
          </NavLink>
        ))}
        <button type="button" className={styles.tab} popoverTarget="more">
          <Icon name="list" size={22} />
          More
        </button>
      </nav>
      <nav id="more" ref={sheet} popover="auto" className={styles.sheet} aria-label="More">
        {FOOT.map((entry) => (
          <SideLink key={entry.to} entry={entry} />
        ))}
        {user.role !== 'Bud' && (
          <div className={styles.scheme}>
            <span>Sound</span>
            <SoundToggle />
          </div>
        )}
        <div className={styles.scheme}>
          <span>Colours</span>
          <SchemeToggle />
        </div>
        <LogoutButton />
      </nav>
    </>
  );
}
