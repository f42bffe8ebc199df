import { NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ActAnswer } from '../../../contract/operator/call.ts';
import type { DeliveryTownCall, OrderTownCall } from '../../../contract/operator/orderActs.ts';
import type { TownAction } from '../../../contract/operator/orders.ts';
import { TRIP_PAYERS, WAY_HOME_PAYERS, type WayHome, type WayHomePayer } from '../../../domain/orders.ts';
import type { Point } from '../../../domain/places.ts';
import { townReasonText } from '../../../texts/reasons.ts';
import { LocationField } from '../../places/LocationField.tsx';
import type { FormErrors } from '../../ui/useForm.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useTownAlone } from '../useConsent.ts';
import { PayerSelect, WayHomeSelect } from '../WayHomeSelect.tsx';
import { DELIVERY_ACT_TEXTS, ORDER_ACT_TEXTS } from './actTexts.ts';
import styles from './TownActions.module.css';

type Fields = {
  readonly why: string;
  readonly words: string;
  readonly waysPaidBy: WayHomePayer;
  readonly wayHome: WayHome | '';
  readonly place: Point | undefined;
};

export type Subject =
  | { readonly kind: 'order'; readonly id: string }
  /** `place` is where its laundry may be, if anybody has said it. */
  | { readonly kind: 'delivery'; readonly id: string; readonly place: Point | undefined };

export type SubjectAction = { readonly subject: Subject; readonly action: TownAction };

/** What the operator can do, as buttons: first what helps the order on, then what ends it. */
export function TownActions({ actions }: { actions: readonly SubjectAction[] }) {
  const ends = ({ subject, action }: SubjectAction) => Number(textsOf(subject, action.action).isDestructive ?? false);
  return (
    <div className="buttons">
      {actions
        .toSorted((a, b) => ends(a) - ends(b))
        .map(({ subject, action }) => (
          <OneAction key={`${subject.id} ${action.action}`} subject={subject} action={action} />
        ))}
    </div>
  );
}

/** Why an action is not possible now: 'Cancel Order: The Duber still has the laundry'. */
export const hintText = ({ subject, action: { action, hint } }: SubjectAction): string =>
  `${textsOf(subject, action).label}: ${hint}`;

const textsOf = ({ kind }: Subject, action: string) =>
  kind === 'order' ? ORDER_ACT_TEXTS[action as OrderTownCall] : DELIVERY_ACT_TEXTS[action as DeliveryTownCall];

const NOTHING_YET: Fields = { why: '', words: '', waysPaidBy: 'platform', wayHome: '', place: undefined };

function OneAction({ subject, action }: { subject: Subject; action: TownAction }) {
  const [typed, setTyped] = useState(NOTHING_YET);
  const { runsAlone } = useTownAlone();
  // What the page learns while the form is open counts, until the operator chooses a place.
  const fields = { ...typed, place: typed.place ?? (subject.kind === 'delivery' ? subject.place : undefined) };
  const { label, explain, ...texts } = textsOf(subject, action.action);
  return (
    <ActButton
      {...texts}
      label={label}
      variant={texts.isDestructive ? 'subtle' : 'default'}
      reasonLabel="Note for the audit"
      isReady={isFilled(action, fields)}
      onOpen={() => setTyped(NOTHING_YET)}
      run={(reason, idempotencyKey) => send(subject, action, fields, { reason, idempotencyKey })}
    >
      {(errors) => (
        <>
          <p>{explain}</p>
          <p className={styles.hint}>
            {runsAlone
              ? 'If this moves more money than you may move in a day, it waits 24 hours.'
              : 'If this moves more money than you may move alone, another operator must approve it first.'}
          </p>
          <ActFields
            action={action}
            fields={fields}
            errors={errors}
            change={(part) => setTyped({ ...typed, ...part })}
          />
        </>
      )}
    </ActButton>
  );
}

const needsWordsFor = ({ needsWords }: TownAction, { why }: Fields) => needsWords || why === 'other';

function isFilled(action: TownAction, fields: Fields): boolean {
  if (fields.why === '' || (action.needsPlace && !fields.place)) return false;
  if (action.waysHome.length > 0 && fields.wayHome === '') return false;
  return !needsWordsFor(action, fields) || fields.words.trim() !== '';
}

type ActFieldsProps = {
  action: TownAction;
  fields: Fields;
  errors: FormErrors;
  change: (part: Partial<Fields>) => void;
};

const MAX_WORDS = 1000;

function ActFields({ action, fields, errors, change }: ActFieldsProps) {
  const needsWords = needsWordsFor(action, fields);
  return (
    <>
      <NativeSelect
        label="What happened?"
        value={fields.why}
        error={errors.why}
        onChange={(event) => change({ why: event.currentTarget.value })}
        data={[
          { value: '', label: 'Choose one' },
          ...action.reasons.map((value) => ({ value, label: townReasonText(value) })),
        ]}
      />
      <Textarea
        label={needsWords ? 'What the people of the order read' : 'What the people of the order read (optional)'}
        rows={2}
        maxLength={MAX_WORDS}
        value={fields.words}
        error={errors.words}
        onChange={(event) => change({ words: event.currentTarget.value })}
      />
      {action.waysHome.length > 0 && (
        <WayHomeSelect
          ways={action.waysHome}
          value={fields.wayHome}
          error={errors.wayHome}
          onChange={(wayHome) => change({ wayHome })}
        />
      )}
      {(action.needsPayer || fields.wayHome === 'bring') && (
        <PayerSelect
          payers={action.needsPayer ? TRIP_PAYERS : WAY_HOME_PAYERS}
          value={fields.waysPaidBy}
          error={errors.waysPaidBy}
          onChange={(waysPaidBy) => change({ waysPaidBy })}
        />
      )}
      {action.needsPlace && (
        <LocationField
          value={fields.place && { lat: fields.place.latitude, lng: fields.place.longitude, label: '', source: 'map' }}
          error={errors.place}
          onChange={({ lat, lng }) => change({ place: { latitude: lat, longitude: lng } })}
        />
      )}
    </>
  );
}

function send(
  subject: Subject,
  { action, needsPayer, needsPlace, waysHome }: TownAction,
  fields: Fields,
  { reason, idempotencyKey }: { reason: string; idempotencyKey: string },
): Promise<ActAnswer> {
  const { why, words, waysPaidBy, wayHome, place } = fields;
  const params = { id: subject.id };
  const said = { why, reason, ...(words.trim() === '' ? {} : { words }) };
  if (subject.kind === 'order')
    return operatorApi[`order-${action as OrderTownCall}`]({
      params,
      body: {
        ...said,
        ...(needsPayer || wayHome === 'bring' ? { waysPaidBy } : {}),
        ...(waysHome.length > 0 && wayHome !== '' ? { wayHome } : {}),
      },
      idempotencyKey,
    });
  const withPlace = needsPlace && place ? { place } : {};
  return operatorApi[`delivery-${action as DeliveryTownCall}`]({
    params,
    body: { ...said, ...withPlace },
    idempotencyKey,
  });
}
