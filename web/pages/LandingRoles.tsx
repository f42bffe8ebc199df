import styles from './Landing.module.css';
import cards from './LandingRoles.module.css';
import { ROLE_DESCRIPTIONS, RoleDrawing } from './roles.tsx';

/** The three roles; each card leads to the sign-up with its role chosen. */
export function LandingRoles() {
  return (
    <section className={`${styles.inner} ${styles.section}`} aria-labelledby="roles">
      <h2 id="roles">Pick your role</h2>
      <p className={styles.lead}>Get your laundry done, wash for others, or deliver.</p>
      <ul className={styles.three}>
        {ROLE_DESCRIPTIONS.map(({ role, tagline, description }) => (
          <li key={role} className={cards.role}>
            <RoleDrawing role={role} />
            <h3>
              <a href={`#/signup?role=${role}`}>{role}</a>
            </h3>
            <p className={cards.tagline}>{tagline}</p>
            <p className={cards.description}>{description}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
