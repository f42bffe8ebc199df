import type { ReactNode } from 'react';
import type { Person } from '../../../contract/operator/people.ts';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import sections from '../sections.module.css';
import { TownTime } from '../TownTime.tsx';
import styles from './people.module.css';

type Line = { readonly key: string; readonly what: ReactNode; readonly when: string };

function Lines({ title, lines, empty }: { title: string; lines: readonly Line[]; empty: string }) {
  return (
    <section className={sections.card}>
      <SectionHeader title={title} />
      {lines.length === 0 && <p className="quiet">{empty}</p>}
      <ul className={styles.rows}>
        {lines.map(({ key, what, when }) => (
          <li key={key} className={styles.line}>
            <span>{what}</span>
            <TownTime at={when} className="quiet" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** 'with-town' becomes 'with town'. */
const wordsOf = (name: string) => name.replaceAll('-', ' ');

export const CasesCard = ({ cases }: Pick<Person, 'cases'>) => (
  <Lines
    title="Cases"
    empty="None"
    lines={cases.map(({ id, no, kind, status, createdAt }) => ({
      key: id,
      what: `${no} · ${wordsOf(kind)} · ${wordsOf(status)}`,
      when: createdAt,
    }))}
  />
);

export const DevicesCard = ({ devices }: Pick<Person, 'devices'>) => (
  <Lines
    title="Devices"
    empty="Signed in nowhere"
    lines={devices.map(({ browser, network, lastUsedAt }, index) => ({
      key: `${index} ${lastUsedAt}`,
      what: [browser ?? 'Unknown browser', network].filter(Boolean).join(' · '),
      when: lastUsedAt,
    }))}
  />
);

export const MessagesCard = ({ messages }: Pick<Person, 'messages'>) => (
  <Lines
    title="Messages"
    empty="None about the latest work"
    lines={messages.map(({ kind, channel, state, at }, index) => ({
      key: `${index} ${at}`,
      what: `${wordsOf(kind)} · ${channel} · ${wordsOf(state)}`,
      when: at,
    }))}
  />
);
