import styles from './LandingIllustration.module.css';

const STROKE = { stroke: '#07455a', strokeWidth: 2.5, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

/** A van takes a laundry bag from a house to a laundry and back. */
export function LandingIllustration() {
  return (
    <svg
      className={styles.scene}
      viewBox="0 0 560 440"
      role="img"
      aria-label="A van takes laundry from a door to a laundry and brings it back fresh"
    >
      <rect x="0" y="0" width="560" height="440" rx="32" fill="#d0ebf3" />
      <circle cx="452" cy="92" r="34" fill="#f7c948" />
      <path d="M40 120c10-22 44-24 54-2 18-8 36 6 30 22H32c-12 0-10-18 8-20z" fill="#ffffff" opacity="0.8" />
      <path d="M0 306c90-40 180-38 280-14s190 22 280-10v126a32 32 0 0 1-32 32H32a32 32 0 0 1-32-32z" fill="#a3d8e7" />
      <House />
      <Laundry />
      <path d="M0 372h560v36a32 32 0 0 1-32 32H32a32 32 0 0 1-32-32z" fill="#0a5a72" />
      <path d="M24 408h512" stroke="#72c3da" strokeWidth="3" strokeDasharray="22 18" />
      <Van />
    </svg>
  );
}

function House() {
  return (
    <g {...STROKE}>
      <path d="M56 216 140 150l84 66v150H56z" fill="#ffffff" />
      <path d="M40 222 140 142l100 80" fill="none" strokeWidth="6" stroke="#0b6e8b" />
      <rect x="78" y="268" width="48" height="98" rx="4" fill="#0f86a8" />
      <circle cx="116" cy="320" r="3" fill="#f7c948" stroke="none" />
      <rect x="154" y="240" width="48" height="44" rx="4" fill="#e8f6fa" />
      <path d="M178 240v44M154 262h48" />
      <g className={styles.worn}>
        <path d="M146 366c-8-20 0-36 14-36s24 16 16 36z" fill="#b9c6cd" />
        <path d="M154 330c2 5 12 5 14 0" fill="none" />
      </g>
      <g className={styles.fresh}>
        <path d="M138 340h52l-6 26h-40z" fill="#ffffff" />
        <path d="M142 340c2-12 42-12 46 0z" fill="#f7c948" />
        <path d="M198 316v12M192 322h12M206 300v8M202 304h8" stroke="#0b6e8b" />
      </g>
    </g>
  );
}

function Laundry() {
  return (
    <g {...STROKE}>
      <rect x="346" y="178" width="164" height="188" rx="10" fill="#ffffff" />
      <path
        d="M338 178h180l-8 34a14 14 0 0 1-27 0 14 14 0 0 1-27 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-27 0 14 14 0 0 1-27 0z"
        fill="#f7c948"
      />
      <circle cx="428" cy="290" r="46" fill="#d0ebf3" strokeWidth="5" stroke="#0b6e8b" />
      <g className={styles.drum}>
        <path d="M396 292c10-16 22 10 32 0s22-10 32 2c-4 20-18 30-32 30s-30-12-32-32z" fill="#47b0cd" stroke="none" />
        <path d="M412 276c8-8 24-8 30 0l-6 12h-18z" fill="#ffffff" />
      </g>
      <circle cx="372" cy="238" r="5" fill="#0b6e8b" stroke="none" />
      <path d="M388 238h26" />
      <g className={styles.bubbles} fill="#ffffff" strokeWidth="2">
        <circle className={styles.bubble} cx="404" cy="166" r="9" />
        <circle className={styles.bubble} cx="434" cy="158" r="13" />
        <circle className={styles.bubble} cx="464" cy="168" r="7" />
      </g>
    </g>
  );
}

function Van() {
  return (
    <g className={styles.van} {...STROKE}>
      <g className={styles.body}>
        <path d="M76 336a10 10 0 0 1 10-10h74v68H76z" fill="#ffffff" />
        <path d="M160 344h24l24 24v26h-48z" fill="#47b0cd" />
        <path d="M170 352h11l14 15h-25z" fill="#e8f6fa" />
        <circle cx="112" cy="354" r="7" fill="#a3d8e7" stroke="none" />
        <circle cx="127" cy="350" r="9" fill="#0b6e8b" stroke="none" />
        <path d="M102 362h36l-4 14h-28z" fill="#0b6e8b" stroke="none" />
      </g>
      {[106, 178].map((x) => (
        <g key={x} className={styles.wheel}>
          <circle cx={x} cy="396" r="15" fill="#10222b" />
          <circle cx={x} cy="396" r="6" fill="#ffffff" stroke="none" />
          <path d={`M${x} 385v4M${x} 403v4`} stroke="#51626c" />
        </g>
      ))}
    </g>
  );
}
