import { useEffect } from 'react';
import { useConfig } from '../api/config.ts';
import { DemoEntrance } from '../demo/DemoEntrance.tsx';
import { DemoReviews } from '../demo/DemoReviews.tsx';
import { TOWN_NAME } from '../town.ts';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/Logo.tsx';
import styles from './Landing.module.css';
import { LandingIllustration } from './LandingIllustration.tsx';
import cards from './LandingRoles.module.css';
import { PriceSlider } from './PriceSlider.tsx';
import { PriceList } from './prices.tsx';
import { QuestionList } from './QuestionList.tsx';
import { listFirstQuestions } from './questions.ts';
import { ROLE_DESCRIPTIONS, RoleDrawing } from './roles.tsx';

const STEPS = [
  { title: 'Order', text: 'Choose a Scrub near you and a load size. You see the price up front.' },
  { title: 'Wash', text: 'A Duber takes your bag to your Scrub. You can follow every step live.' },
  { title: 'Back at your door', text: 'Fresh and folded. You only pay for orders that your Scrub accepts.' },
] as const;

const ASSURANCES = [
  'You pay nothing unless someone accepts.',
  'You see the price to the cent before you order.',
  'You follow every step, from your door and back.',
] as const;

/** spec 2.3. The build prerenders it into index.html with plain links, so it works before any script runs. */
export function Landing() {
  useEffect(() => {
    document.title = `${TOWN_NAME} · Laundry, done and back at your door`;
  }, []);
  return (
    <div className={styles.page}>
      <header className={`${styles.inner} ${styles.top}`}>
        <Logo size={38} />
        <a href="#/login">Sign in</a>
      </header>
      <main>
        <Hero />
        <LandingRoles />
        <HowItWorks />
        <Prices />
        <div className={styles.inner}>
          <DemoReviews />
        </div>
        <Questions />
        <section className={`${styles.inner} ${styles.last}`} aria-labelledby="start">
          <h2 id="start">Get a chore off your mind</h2>
          <p className={styles.lead}>Two minutes from now, laundry day is somebody else’s.</p>
          <SignUpLinks />
        </section>
      </main>
      <footer className={`${styles.inner} ${styles.foot}`}>
        <p>{`${TOWN_NAME} is open source.`}</p>
        <nav aria-label="Small print">
          <a href="#/terms">Terms of Service</a>
          <a href="#/privacy">Privacy Policy</a>
        </nav>
      </footer>
    </div>
  );
}

function SignUpLinks() {
  return (
    <p className={styles.signUpLinks}>
      <a className={styles.primary} href="#/signup">
        Get Started - Create Account
      </a>
      <a className={styles.secondary} href="#/login">
        I Already Have an Account
      </a>
    </p>
  );
}

function Hero() {
  return (
    <section className={`${styles.inner} ${styles.hero}`} aria-labelledby="headline">
      <div>
        <h1 id="headline" className={styles.headline}>
          Laundry, done and back at your door.
        </h1>
        <p className={styles.promise}>
          <strong>Order in two minutes. Someone near you washes it, and a driver carries it both ways.</strong>
          {` ${TOWN_NAME} is the complete laundry service platform connecting customers, service providers and delivery drivers.`}
        </p>
        <SignUpLinks />
        <ul className={styles.assurances}>
          {ASSURANCES.map((text) => (
            <li key={text}>
              <Icon name="check" strokeWidth={2.5} />
              {text}
            </li>
          ))}
        </ul>
        <p className={styles.trust}>{`Join thousands of users who trust ${TOWN_NAME} for their laundry needs`}</p>
        <div className={styles.demo}>
          <DemoEntrance />
        </div>
      </div>
      <div className={styles.scene}>
        <LandingIllustration />
      </div>
    </section>
  );
}

function HowItWorks() {
  return (
    <div className={styles.band}>
      <section className={`${styles.inner} ${styles.section}`} aria-labelledby="how">
        <h2 id="how">How it works</h2>
        <ol className={styles.three}>
          {STEPS.map(({ title, text }, index) => (
            <li key={title} className={styles.step}>
              <span className={styles.number} aria-hidden="true">
                {index + 1}
              </span>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function Prices() {
  const { prices, notOffered } = useConfig() ?? {};
  return (
    <section className={`${styles.inner} ${styles.section}`} aria-labelledby="prices">
      <h2 id="prices">What it costs</h2>
      <p className={styles.lead}>
        No subscription. No hidden fees. <span className={styles.scripted}>Move the slider and see your total.</span>
      </p>
      <PriceSlider prices={prices} />
      <PriceList prices={prices} notOffered={notOffered} />
    </section>
  );
}

function Questions() {
  return (
    <section className={`${styles.inner} ${styles.section} ${styles.questions}`} aria-labelledby="questions">
      <div>
        <h2 id="questions">Good questions</h2>
        <p className={styles.lead}>
          The answers that most people want first.{' '}
          <a className={styles.allQuestions} href="#/help">
            Read all questions and answers
          </a>
        </p>
      </div>
      <QuestionList questions={listFirstQuestions(useConfig())} />
    </section>
  );
}

/** The three roles; each card leads to the sign-up with its role chosen. */
function LandingRoles() {
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
