import { useQuery } from '@tanstack/react-query';
import type { TownPolicy } from '../../../contract/operator/policies.ts';
import { type PolicyName, PRESETS } from '../../../domain/policies.ts';
import { Badge } from '../../ui/Badge.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { List } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import styles from '../prices.module.css';
import { POLICY_TITLES, PRESET_LABELS } from '../priceTexts.ts';
import sections from '../sections.module.css';
import { useChangeText, useTownAlone } from '../useConsent.ts';
import { useTownDay } from '../useTownDay.ts';

/** How strict the town is, in plain words. */
export function RulesPage() {
  const mayChange = useHasRight('prices');
  const policies = useQuery({ queryKey: ['policies'], queryFn: () => operatorApi.listPolicies() });
  const found = policies.data;
  const change = useChangeText('A change');
  const { isNew } = useTownAlone();
  return (
    <>
      <PageHeader title="Rules" subtitle={`How strict the town is. ${change} Placed orders keep their rules.`} />
      <section className={`${sections.sections} ${sections.card}`}>
        <List isInCard what="rules" query={policies} rows={found?.policies} empty="No rules">
          {(rows) => (
            <>
              <p>
                {found?.preset === null
                  ? 'Some rules are open and some are careful.'
                  : `All rules are ${found?.preset}.`}
              </p>
              {mayChange && (
                <div className="buttons">
                  {PRESETS.map((preset) => (
                    <ActFormButton
                      key={preset}
                      act="setPreset"
                      name={preset}
                      label={`Set All to ${PRESET_LABELS[preset]}…`}
                      body={{ preset }}
                      {...(isNew ? { text: 'This starts at once.' } : {})}
                    />
                  ))}
                </div>
              )}
              <ul className={styles.rows} aria-label="Rules">
                {rows.map((policy) => (
                  <PolicyRow key={policy.name} policy={policy} mayChange={mayChange} />
                ))}
              </ul>
            </>
          )}
        </List>
      </section>
    </>
  );
}

function PolicyRow({ policy, mayChange }: { policy: TownPolicy; mayChange: boolean }) {
  const { name, value, setBy, from, next, values } = policy;
  const townDay = useTownDay();
  const { isNew } = useTownAlone();
  const title = POLICY_TITLES[name as PolicyName] ?? name;
  const other = values.find((one) => one.value !== value);
  return (
    <li className={styles.policy}>
      <h3>
        {title} <Badge color="brand">{PRESET_LABELS[value]}</Badge>
      </h3>
      <Words words={values.find((one) => one.value === value)?.words ?? []} />
      {from !== null && (
        <p className="quiet">
          Set by {setBy}, since {townDay(from)}
        </p>
      )}
      {next && (
        <p className="quiet">
          {PRESET_LABELS[next.value]} from {townDay(next.from)}, set by {next.setBy}
        </p>
      )}
      {mayChange && other && (
        <div className="buttons">
          <ActFormButton
            act="setPolicy"
            name={`${title}: ${other.value}`}
            label={`Set to ${PRESET_LABELS[other.value]}…`}
            params={{ id: name as PolicyName }}
            body={{ value: other.value }}
            {...(isNew ? { text: 'At once:' } : {})}
          >
            <Words words={other.words} />
          </ActFormButton>
        </div>
      )}
    </li>
  );
}

const Words = ({ words }: { words: readonly string[] }) => (
  <ul className={styles.words}>
    {words.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
