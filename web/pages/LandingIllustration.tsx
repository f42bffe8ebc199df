import styles from './LandingIllustration.module.css';

const STARS = [
  'M62 60h.1',
  'M136 38h.1',
  'M222 74h.1',
  'M300 36h.1',
  'M366 92h.1',
  'M524 50h.1',
  'M528 142h.1',
  'M26 148h.1',
];

/** A van takes a laundry bag from a house to a laundry and back: by day, or by night with dark colours. */
export function LandingIllustration() {
  return (
    <svg
      className={styles.scene}
      viewBox="0 0 560 440"
      role="img"
      aria-label="A van takes laundry from a door to a laundry and brings it back fresh"
    >
      <Sky />
      <g className={styles.line}>
        <House />
        <Laundry />
        <path className={styles.road} d="M0 372h560v36a32 32 0 0 1-32 32H32a32 32 0 0 1-32-32z" />
        <path className={styles.lanes} d="M24 408h512" />
        <Lamp />
        <Van />
      </g>
    </svg>
  );
}

function Sky() {
  return (
    <>
      <rect className={styles.sky} width="560" height="440" rx="32" />
      <g className={styles.day}>
        <circle cx="456" cy="92" r="34" fill="#f7c948" />
        <g className={styles.cloud} fill="#ffffff" opacity="0.85">
          <path d="M40 120c10-22 44-24 54-2 18-8 36 6 30 22H32c-12 0-10-18 8-20z" />
          <path d="M262 70c8-17 34-18 42-2 14-6 28 5 23 17h-71c-9 0-8-14 6-15z" />
        </g>
      </g>
      <g className={styles.night}>
        <path d="M470 60a36 36 0 1 0 24 58 30 30 0 0 1-24-58z" fill="#ffe9a8" />
        <g stroke="#ffe9a8" strokeWidth="4" strokeLinecap="round">
          {STARS.map((star) => (
            <path key={star} className={styles.star} d={star} />
          ))}
        </g>
      </g>
      <path className={styles.farHill} d="M0 290c70-44 150-46 230-20s200 40 330-24V380H0z" />
      <path className={styles.hill} d="M0 306c90-40 180-38 280-14s190 22 280-10V380H0z" />
    </>
  );
}

function House() {
  return (
    <g>
      <path className={styles.wall} d="M178 176v-36h20v52z" />
      <path className={styles.wall} d="M56 216 140 150l84 66v150H56z" />
      <path className={styles.roof} d="M40 222 140 142l100 80" />
      <rect className={styles.door} x="78" y="268" width="48" height="98" rx="4" />
      <circle cx="116" cy="320" r="3" fill="#f7c948" stroke="none" />
      <rect className={styles.window} x="154" y="240" width="48" height="44" rx="4" />
      <path d="M178 240v44M154 262h48" />
      <circle className={styles.window} cx="140" cy="202" r="13" />
      <g className={styles.worn}>
        <path d="M146 366c-8-20 0-36 14-36s24 16 16 36z" fill="#b9c6cd" />
        <path d="M154 330c2 5 12 5 14 0" fill="none" />
      </g>
      <g className={styles.fresh}>
        <path d="M138 340h52l-6 26h-40z" fill="#ffffff" />
        <path d="M142 340c2-12 42-12 46 0z" fill="#f7c948" />
        <path className={styles.spark} d="M198 316v12M192 322h12M206 300v8M202 304h8" />
      </g>
    </g>
  );
}

function Laundry() {
  return (
    <g>
      <rect className={styles.wall} x="346" y="178" width="164" height="188" rx="10" />
      <path
        d="M338 178h180l-8 34a14 14 0 0 1-27 0 14 14 0 0 1-27 0 14 14 0 0 1-28 0 14 14 0 0 1-28 0 14 14 0 0 1-27 0 14 14 0 0 1-27 0z"
        fill="#f7c948"
      />
      <circle className={styles.glass} cx="428" cy="290" r="46" />
      <g className={styles.drum}>
        <path d="M396 292c10-16 22 10 32 0s22-10 32 2c-4 20-18 30-32 30s-30-12-32-32z" fill="#47b0cd" stroke="none" />
        <path d="M412 276c8-8 24-8 30 0l-6 12h-18z" fill="#ffffff" />
      </g>
      <circle className={styles.knob} cx="372" cy="238" r="5" />
      <path d="M388 238h26" />
      <g className={styles.bubbles} fill="#ffffff" strokeWidth="2">
        <circle className={styles.bubble} cx="404" cy="166" r="9" />
        <circle className={styles.bubble} cx="434" cy="158" r="13" />
        <circle className={styles.bubble} cx="464" cy="168" r="7" />
      </g>
    </g>
  );
}

/** Dark by day. */
function Lamp() {
  return (
    <g>
      <path className={`${styles.glow} ${styles.night}`} d="m282 250-44 122h88z" />
      <path d="M282 372V246" strokeWidth="5" />
      <path className={styles.bulb} d="M270 248c0-18 24-18 24 0z" />
    </g>
  );
}

function Van() {
  return (
    <g className={styles.van}>
      <g className={styles.body}>
        <path className={`${styles.glow} ${styles.night}`} d="m206 378 80-14v40l-80-16z" />
        <path d="M76 336a10 10 0 0 1 10-10h74v68H76z" fill="#ffffff" />
        <path d="M160 344h24l24 24v26h-48z" fill="#47b0cd" />
        <path d="M170 352h11l14 15h-25z" fill="#e8f6fa" />
        <path d="M206 376v12" stroke="#f7c948" strokeWidth="5" />
        <circle cx="112" cy="354" r="7" fill="#a3d8e7" stroke="none" />
        <circle cx="127" cy="350" r="9" fill="var(--mark)" stroke="none" />
        <path d="M102 362h36l-4 14h-28z" fill="var(--mark)" stroke="none" />
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
