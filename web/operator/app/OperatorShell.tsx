import { type RefObject, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import type { OperatorSession } from '../../../contract/operator/session.ts';
import { SETTING_DEFAULTS } from '../../../domain/settings.ts';
import { DemoBar } from '../../demo/DemoBar.tsx';
import { useIsCompact } from '../../hooks/breakpoints.ts';
import { useFocusMainOnNavigation } from '../../hooks/focusMain.ts';
import { TOWN_NAME } from '../../town.ts';
import bar from '../../ui/bottomBar.module.css';
import { ColorSchemeToggle } from '../../ui/ColorSchemeToggle.tsx';
import { Icon } from '../../ui/icons.tsx';
import { LogoMark } from '../../ui/Logo.tsx';
import nav from '../../ui/navLink.module.css';
import { StorageNotice } from '../../ui/StorageNotice.tsx';
import { signOutOperator } from '../operatorSession.ts';
import { TownSearch } from '../search/TownSearch.tsx';
import { TownState } from '../settings/TownState.tsx';
import { useTown } from '../townQuery.ts';
import { TownTimeZone } from '../useTownDay.ts';
import styles from './OperatorShell.module.css';
import { GROUPS, type Screen } from './screens.tsx';
import { useCounts } from './useCounts.ts';

type ShellProps = { screens: readonly Screen[]; session: OperatorSession };

/** The layout of the console: the pages on the left and the search on top, or a bar at the bottom of phones. */
export function OperatorShell({ screens, session }: ShellProps) {
  useFocusMainOnNavigation();
  const isCompact = useIsCompact();
  const counts = useCounts();
  const { data: town } = useTown();
  const maySearch = session.operator.caps.includes('see');
  return (
    <TownTimeZone value={town?.timeZone ?? SETTING_DEFAULTS.timeZone}>
      <div className={styles.shell}>
        <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
          Skip to content
        </button>
        {!isCompact && (
          <div className={styles.side}>
            <Brand />
            <Pages {...{ screens, session, counts }} />
          </div>
        )}
        <header className={styles.head}>
          {isCompact && <LogoMark size={30} />}
          {!isCompact && maySearch && <HeaderSearch />}
          <span className={styles.spacer} />
          <TownState />
          <ColorSchemeToggle />
        </header>
        <main id="main" tabIndex={-1} className={styles.main}>
          <StorageNotice />
          {session.isDemo && <DemoBar shown="Town" />}
          <Outlet />
        </main>
        {isCompact && <PhoneBar {...{ screens, session, counts, maySearch }} />}
      </div>
    </TownTimeZone>
  );
}

function Brand() {
  return (
    <p className={styles.brand}>
      <LogoMark size={30} />
      {TOWN_NAME} Console
    </p>
  );
}

/** Ctrl-K or Cmd-K goes to the search from anywhere. */
function useSearchKey(onKey: () => void): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      onKey();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [onKey]);
}

const focusSearch = (within: RefObject<HTMLElement | null>) => within.current?.querySelector('input')?.focus();

function HeaderSearch() {
  const box = useRef<HTMLDivElement>(null);
  useSearchKey(() => focusSearch(box));
  return (
    <div ref={box} className={styles.search}>
      <TownSearch />
    </div>
  );
}

type PagesProps = ShellProps & { counts: Readonly<Record<string, number>> };

function PhoneBar({ screens, session, counts, maySearch }: PagesProps & { maySearch: boolean }) {
  const pages = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    for (const sheet of [pages, search])
      if (pathname && sheet.current?.matches(':popover-open')) sheet.current.hidePopover();
  }, [pathname]);
  useSearchKey(() => search.current?.showPopover());
  return (
    <>
      <nav className={bar.bottom} aria-label="Main">
        {screens
          .filter(({ isInBar }) => isInBar)
          .map(({ path, label, icon }) => (
            <NavLink key={path} to={`/operator/${path}`} className={bar.tab ?? ''}>
              <span className={styles.tabIcon}>
                <Icon name={icon} size={22} />
                <Count count={counts[path]} />
              </span>
              {label}
            </NavLink>
          ))}
        {maySearch && (
          <button type="button" className={bar.tab} popoverTarget="search">
            <Icon name="search" size={22} />
            Search
          </button>
        )}
        <button type="button" className={bar.tab} popoverTarget="pages">
          <Icon name="list" size={22} />
          More
        </button>
      </nav>
      <div id="pages" ref={pages} popover="auto" className={styles.sheet}>
        <Pages {...{ screens, session, counts }} />
      </div>
      {maySearch && (
        <div
          id="search"
          ref={search}
          popover="auto"
          className={styles.searchSheet}
          onToggle={({ newState }) => newState === 'open' && focusSearch(search)}
        >
          <TownSearch />
        </div>
      )}
    </>
  );
}

function Pages({ screens, session, counts }: PagesProps) {
  const { fullname, email } = session.operator;
  return (
    <>
      <nav className={styles.links} aria-label="Pages">
        {[undefined, ...GROUPS].map((group) => {
          const inGroup = screens.filter((screen) => screen.group === group);
          return (
            inGroup.length > 0 && (
              <div key={group ?? ''} className={styles.group}>
                {group && <p>{group}</p>}
                {inGroup.map((screen) => (
                  <PageLink key={screen.path} screen={screen} count={counts[screen.path]} />
                ))}
              </div>
            )
          );
        })}
      </nav>
      <div className={styles.foot}>
        <p className={styles.person} title={email}>
          {fullname}
        </p>
        <p className={styles.person}>Times in {useContext(TownTimeZone).replaceAll('_', ' ')}</p>
        <button type="button" className={nav.link} onClick={signOutOperator}>
          <Icon name="logout" />
          Sign out
        </button>
      </div>
    </>
  );
}

function PageLink({ screen: { path, label, icon }, count }: { screen: Screen; count: number | undefined }) {
  return (
    <NavLink to={`/operator/${path}`} className={`${nav.link} ${styles.link}`}>
      <Icon name={icon} size={18} />
      {label}
      <Count count={count} />
    </NavLink>
  );
}

const MAX_COUNT = 99;

/** How many things wait on a page. */
function Count({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
