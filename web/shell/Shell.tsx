import { useEffect, useRef } from 'react';
import { Link, NavLink, Outlet, useLocation } from 'react-router';
import { homePathOf, type Role } from '../../domain/accounts.ts';
import { useConfig } from '../api/config.ts';
import { casesPath, useHasCases } from '../cases/caseQueries.ts';
import { DemoBar } from '../demo/DemoBar.tsx';
import { useDemoBar } from '../demo/demoBarState.ts';
import { useIsCompact } from '../hooks/breakpoints.ts';
import { useFocusMainOnNavigation } from '../hooks/focusMain.ts';
import { SoundToggle } from '../live/SoundToggle.tsx';
import { OfflineBanner } from '../offline/OfflineBanner.tsx';
import { useUser } from '../session/session.ts';
import { signOutOnPurpose } from '../session/signOutOnPurpose.ts';
import { TOWN_NAME } from '../town.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Banner } from '../ui/Banner.tsx';
import bar from '../ui/bottomBar.module.css';
import { ColorSchemeToggle } from '../ui/ColorSchemeToggle.tsx';
import { formatDay } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Logo, LogoMark } from '../ui/Logo.tsx';
import nav from '../ui/navLink.module.css';
import { PersonName } from '../ui/PersonName.tsx';
import { StorageNotice } from '../ui/StorageNotice.tsx';
import styles from './Shell.module.css';
import { VisibilitySwitch } from './VisibilitySwitch.tsx';

type NavItem = { readonly to: string; readonly label: string; readonly icon: IconName };

// spec 2.2
const MAIN_NAV: Record<Role, readonly NavItem[]> = {
  Bud: [
    { to: '/bud/dashboard', label: 'Dashboard', icon: 'home' },
    { to: '/bud/place-order', label: 'Place Order', icon: 'plus' },
    { to: '/bud/orders', label: 'Orders', icon: 'shirt' },
    { to: '/bud/deliveries', label: 'Deliveries', icon: 'truck' },
  ],
  Scrub: [
    { to: '/scrub/dashboard', label: 'Dashboard', icon: 'home' },
    { to: '/scrub/jobs', label: 'Jobs', icon: 'shirt' },
    { to: '/scrub/deliveries', label: 'Deliveries', icon: 'truck' },
  ],
  Duber: [
    { to: '/duber/dashboard', label: 'Dashboard', icon: 'home' },
    { to: '/duber/deliveries', label: 'Deliveries', icon: 'truck' },
  ],
};

/** Only for those who have had a problem. */
const problemsNavOf = (role: Role): NavItem => ({ to: casesPath(role), label: 'Problems', icon: 'alert' });

/** Workers have it in the sidebar, and on phones under "More". */
const earningsNavOf = (role: Exclude<Role, 'Bud'>): NavItem => ({
  to: `/${role.toLowerCase()}/earnings`,
  label: 'Earnings',
  icon: 'money',
});

const ACCOUNT_NAV: readonly NavItem[] = [
  { to: '/profile', label: 'Profile', icon: 'user' },
  { to: '/faq', label: 'FAQ', icon: 'help' },
];

/** The layout of every signed-in screen: a sidebar on desktops, a bottom bar on phones. */
export function Shell() {
  useFocusMainOnNavigation();
  const { role } = useUser();
  // Only the one that shows: on phones the links of the other would be a tenth of a dashboard's elements.
  const isCompact = useIsCompact();
  return (
    <div className={styles.shell} data-role={role}>
      <button type="button" className="skip-link" onClick={skipToMain}>
        Skip to content
      </button>
      {!isCompact && <Sidebar />}
      <Header />
      <main id="main" tabIndex={-1} className={styles.main}>
        <OfflineBanner />
        <StorageNotice />
        <ErasureBanner />
        <DemoBar shown={role} />
        <Outlet />
      </main>
      {isCompact && <BottomBar />}
    </div>
  );
}

/** The account is going to be deleted: who signs in again may want to keep it. */
function ErasureBanner() {
  const { erasedAt } = useUser();
  if (!erasedAt) return null;
  return (
    <Banner>
      Your account will be deleted on {formatDay(erasedAt)}. <Link to="/profile?keep">Keep your account</Link>
    </Banner>
  );
}

// A button instead of a link to #main, because the router uses the URL's hash.
function skipToMain(): void {
  document.getElementById('main')?.focus();
}

function Sidebar() {
  const user = useUser();
  return (
    <div className={styles.side}>
      <nav className={styles.links} aria-label="Main">
        <div className={styles.brand}>
          <Link to={homePathOf(user.role)} aria-label={TOWN_NAME}>
            <Logo />
          </Link>
          <span className={styles.role}>{user.role} Dashboard</span>
        </div>
        {MAIN_NAV[user.role].map((item) => (
          <SidebarLink key={item.to} item={item} />
        ))}
        <WorkLinks />
        <ProblemsLink />
      </nav>
      <nav className={styles.foot} aria-label="Account">
        {ACCOUNT_NAV.map((item) => (
          <SidebarLink key={item.to} item={item} />
        ))}
        <LogoutButton />
      </nav>
    </div>
  );
}

function SidebarLink({ item }: { item: NavItem }) {
  return (
    <NavLink to={item.to} className={nav.link ?? ''}>
      <Icon name={item.icon} />
      {item.label}
    </NavLink>
  );
}

const WEEK_NAV: NavItem = { to: '/scrub/week', label: 'Your week', icon: 'clock' };

/** What workers have besides. */
function WorkLinks() {
  const { role } = useUser();
  if (role === 'Bud') return null;
  return (
    <>
      {role === 'Scrub' && <SidebarLink item={WEEK_NAV} />}
      <SidebarLink item={earningsNavOf(role)} />
    </>
  );
}

function ProblemsLink() {
  const { role } = useUser();
  return useHasCases() ? <SidebarLink item={problemsNavOf(role)} /> : null;
}

function LogoutButton() {
  return (
    <button type="button" className={nav.link} onClick={() => void signOutOnPurpose()}>
      <Icon name="logout" />
      Logout
    </button>
  );
}

function Header() {
  const user = useUser();
  return (
    <header className={styles.head}>
      <Link to={homePathOf(user.role)} className={styles.mark} aria-label={TOWN_NAME}>
        <LogoMark size={34} />
      </Link>
      <SandboxBadge className={styles.sandbox ?? ''} />
      {/* On the left, because the toasts on the right would cover it. */}
      {user.role === 'Scrub' && (
        <div className={styles.visibility}>
          <VisibilitySwitch isActive={user.isActive} />
        </div>
      )}
      <span className={styles.spacer} />
      {user.role !== 'Bud' && (
        <div className={styles.wideOnly}>
          <SoundToggle />
        </div>
      )}
      <div className={styles.wideOnly}>
        <ColorSchemeToggle />
      </div>
      <div className={styles.person}>
        <div className={styles.personText}>
          <p className={styles.name}>
            <PersonName name={user.fullname} />
          </p>
          <p className={styles.personRole}>{user.role}</p>
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
      <nav className={bar.bottom} aria-label="Main">
        {MAIN_NAV[user.role].map((item) => (
          <NavLink key={item.to} to={item.to} className={bar.tab ?? ''}>
            <Icon name={item.icon} size={22} />
            {item.label}
          </NavLink>
        ))}
        <button type="button" className={bar.tab} popoverTarget="more">
          <Icon name="list" size={22} />
          More
        </button>
      </nav>
      <nav id="more" ref={sheet} popover="auto" className={bar.sheet} aria-label="More">
        <WorkLinks />
        <ProblemsLink />
        {ACCOUNT_NAV.map((item) => (
          <SidebarLink key={item.to} item={item} />
        ))}
        {user.role !== 'Bud' && (
          <div className={bar.setting}>
            <span>Sound</span>
            <SoundToggle />
          </div>
        )}
        <div className={bar.setting}>
          <span>Appearance</span>
          <ColorSchemeToggle />
        </div>
        <LogoutButton />
      </nav>
    </>
  );
}

const STAND_IN_NAMES = { square: 'card payments', places: 'address search', map: 'the map', mail: 'email' } as const;

/** Says which third parties are simulated, so that nobody waits for a real mail or a real charge. In a demo, its bar opens there. */
function SandboxBadge({ className }: { className: string }) {
  const standIns = useConfig()?.standIns ?? [];
  const { isVisitor, isOpen, toggle } = useDemoBar();
  if (standIns.length === 0) return null;
  const names = standIns.map((standIn) => STAND_IN_NAMES[standIn]).join(', ');
  const title = `Simulated here: ${names}. No real money moves.`;
  if (isVisitor) {
    return (
      <button type="button" className={className} title={title} aria-expanded={isOpen} onClick={toggle}>
        Demo<span> · no real money</span>
      </button>
    );
  }
  return (
    <span className={className} title={title}>
      Sandbox<span> · no real money</span>
    </span>
  );
}
