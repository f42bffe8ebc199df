import type { TownSetUp } from '../../../contract/operator/setUp.ts';
import { POLICIES, type PolicyName, PRESETS } from '../../../domain/policies.ts';
import { KIND_TEXTS } from '../../documents/documentTexts.ts';
import { RadioGroup } from '../../ui/Choice.tsx';
import { Fold } from '../../ui/Fold.tsx';
import styles from '../prices.module.css';
import { POLICY_TITLES, PRESET_LABELS } from '../priceTexts.ts';
import { PRESET_TEXTS } from '../setUpTexts.ts';
import { choosePreset, type Draft, SECTION_POLICIES } from './draft.ts';

type Props = { readonly draft: Draft; readonly onChange: (draft: Draft) => void };

/** For whom the town is, which sets all rules, and each of them in a fold. */
export function RuleFields({ draft, onChange }: Props) {
  return (
    <>
      <RadioGroup
        legend="Who orders and works here?"
        options={PRESETS.map((value) => ({ value, ...PRESET_TEXTS[value] }))}
        value={draft.preset}
        onChange={(preset) => onChange(choosePreset(draft, preset))}
      />
      <Fold looks="row" title="Change single rules">
        {SECTION_POLICIES.rules.map((name) => (
          <PolicyChoice key={name} name={name} draft={draft} onChange={onChange} />
        ))}
      </Fold>
    </>
  );
}

function PolicyChoice({ name, draft, onChange }: Props & { name: PolicyName }) {
  return (
    <RadioGroup
      legend={POLICY_TITLES[name]}
      options={PRESETS.map((value) => ({
        value,
        name: PRESET_LABELS[value],
        more: POLICIES[name][value].map((line) => (
          <span key={line} className={styles.line}>
            {line}
          </span>
        )),
      }))}
      value={draft.policies[name]}
      onChange={(value) => onChange({ ...draft, policies: { ...draft.policies, [name]: value } })}
    />
  );
}

/** Whether workers send documents before they work, and which. */
export function WorkerFields({ draft, documents, onChange }: Props & Pick<TownSetUp, 'documents'>) {
  const lists = documents.map(({ role, kinds }) => `A ${role}: ${kinds.map((kind) => KIND_TEXTS[kind]).join(', ')}.`);
  return (
    <RadioGroup
      legend="Who may work?"
      options={[
        { value: 'open', name: 'Everybody who signs up', more: 'Scrubs and Dubers get work at once.' },
        {
          value: 'careful',
          name: 'People whose documents you have accepted',
          more: `They send photos, and you look at them under People. ${lists.join(' ')}`,
        },
      ]}
      value={draft.policies.admission}
      onChange={(admission) => onChange({ ...draft, policies: { ...draft.policies, admission } })}
    />
  );
}
