import { TOWN_MARK, TOWN_NAME } from '../town.ts';
import styles from './Logo.module.css';

/** The logo without the name: that of the town, or three bubbles in a tub. */
export function LogoMark({ size = 32 }: { size?: number }) {
  if (TOWN_MARK) return <img src={TOWN_MARK} width={size} height={size} alt="" style={{ flex: 'none' }} />;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" data-mark="" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="32" height="32" rx="9" fill="var(--mark)" />
      <circle cx="10.500" cy="11.500" r="4" fill="#a3d8e7" />
      <circle cx="20.800" cy="10" r="5" fill="#ffffff" />
      <circle cx="16" cy="6" r="2" fill="#f7c948" />
      <path
        d="M5.500 16.500h21l-1.600 7.400a3.200 3.200 0 0 1-3.100 2.500H10.200a3.200 3.200 0 0 1-3.100-2.500z"
        fill="#ffffff"
      />
      <path
        d="M8 20.500c2 0 2 1.300 4 1.300s2-1.300 4-1.300 2 1.300 4 1.300 2-1.300 4-1.300"
        fill="none"
        stroke="var(--mark)"
        strokeWidth="1.600"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** The logo with the name. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <span className={styles.logo}>
      <LogoMark size={size} />
      {TOWN_NAME}
    </span>
  );
}
