import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { SET_UP_SECTIONS } from '../../../domain/setUp.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import sections from '../sections.module.css';
import { SECTION_TITLES } from '../setUpTexts.ts';
import { useSetUp } from '../useSetUp.ts';
import styles from './SettingsPage.module.css';

/** The set-up as a checklist. */
export function SetUpCard() {
  const setUp = useSetUp();
  const { answered = [] } = setUp.data ?? {};
  return (
    <section className={sections.card}>
      <SectionHeader title="Set-up">
        <Button component={Link} to="/operator/set-up" variant="default">
          Open the Set-up
        </Button>
      </SectionHeader>
      {setUp.isPending && <LoadingRows label="set-up" rows={1} isInCard />}
      {setUp.isError && !setUp.data && <QueryError query={setUp} title="The set-up did not load" />}
      {setUp.data && (
        <ul className={styles.checklist} aria-label="Set-up">
          {SET_UP_SECTIONS.map((section) => {
            const isAnswered = answered.includes(section);
            return (
              <li key={section} className={isAnswered ? undefined : 'quiet'}>
                <Icon
                  name={isAnswered ? 'check' : 'plus'}
                  size={18}
                  className={isAnswered ? styles.check : undefined}
                />
                {SECTION_TITLES[section]}
                <span className="sr-only">{isAnswered ? ': answered' : ': as it was'}</span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
