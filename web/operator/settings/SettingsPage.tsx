import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Town } from '../../../contract/operator/town.ts';
import { formatLocalTime } from '../../../domain/hours.ts';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatMoney } from '../../ui/format.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { readNumber } from '../../ui/typedNumber.ts';
import { ActButton } from '../ActButton.tsx';
import { operatorApi } from '../operatorApi.ts';
import { signOutEverywhere, useHasRight, useIsDemo, useOperator } from '../operatorSession.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { OperatorList } from './OperatorList.tsx';
import { PasskeyList } from './PasskeyList.tsx';
import { PERMISSION_TEXTS } from './permissionTexts.ts';
import styles from './SettingsPage.module.css';

/** How strict the town is, where its day begins, and who runs it. */
export function SettingsPage() {
  const isAdmin = useHasRight('admin');
  const { fullname, email, caps } = useOperator();
  const isDemo = useIsDemo();
  return (
    <>
      <PageHeader title="Operators & settings" />
      <div className={sections.sections}>
        <TownSettings isAdmin={isAdmin} />
        {isAdmin && <OperatorList />}
        {!isDemo && <PasskeyList />}
        <section className={sections.card}>
          <SectionHeader title="You" />
          <DescriptionList>
            <DescriptionItem name="Name">{fullname}</DescriptionItem>
            <DescriptionItem name="Email">{email}</DescriptionItem>
            <DescriptionItem name="Rights">
              {caps.map((permission) => PERMISSION_TEXTS[permission].name).join(', ') || 'None'}
            </DescriptionItem>
          </DescriptionList>
          <div className={styles.buttons}>
            <Button variant="default" onClick={() => void signOutEverywhere()}>
              Sign Out Everywhere
            </Button>
          </div>
        </section>
      </div>
    </>
  );
}

function TownSettings({ isAdmin }: { isAdmin: boolean }) {
  const { data: town } = useTown();
  if (!town) return null;
  const { pause, closed, refundLimitOrder, refundLimitDay, platformPayWeek, timeZone } = town;
  return (
    <section className={sections.card}>
      <SectionHeader title="The town" />
      <DescriptionList>
        <DescriptionItem name="Orders">
          {closed
            ? `${pause ? 'Paused' : 'Closed'} until ${formatLocalTime(new Date(closed.until), timeZone, new Date())}: “${closed.words}”`
            : 'Open'}
        </DescriptionItem>
        <DescriptionItem name="One operator alone gives back">
          {formatMoney(refundLimitOrder)} an order, {formatMoney(refundLimitDay)} a day
        </DescriptionItem>
        <DescriptionItem name="The platform pays one Duber">
          {formatMoney(platformPayWeek)} in seven days for what no order pays. We look at more
        </DescriptionItem>
        <DescriptionItem name="Days and weeks begin in">{timeZone}</DescriptionItem>
      </DescriptionList>
      {isAdmin && (
        <div className={styles.buttons}>
          <LimitsButton limits={{ refundLimitOrder, refundLimitDay, platformPayWeek }} />
          <TimeZoneButton timeZone={timeZone} />
        </div>
      )}
    </section>
  );
}

type Limits = Pick<Town, 'refundLimitOrder' | 'refundLimitDay' | 'platformPayWeek'>;

function LimitsButton({ limits }: { limits: Limits }) {
  const texts = {
    refundLimitOrder: String(limits.refundLimitOrder),
    refundLimitDay: String(limits.refundLimitDay),
    platformPayWeek: String(limits.platformPayWeek),
  };
  const [values, setValues] = useState(texts);
  const parse = (text: string) => readNumber(text, 'dollars') ?? Number.NaN;
  const field = (name: keyof typeof limits, label: string, error: string | undefined) => (
    <NumberField
      kind="dollars"
      label={`${label}, in dollars`}
      value={values[name]}
      error={error}
      onChange={(event) => setValues((now) => ({ ...now, [name]: event.currentTarget.value }))}
    />
  );
  return (
    <ActButton
      label="Change Limits"
      title="How much goes without asking?"
      button="Ask for Approval"
      done="The limits are changed"
      onOpen={() => setValues(texts)}
      run={(reason, idempotencyKey) => {
        const [refundLimitOrder, refundLimitDay] = [parse(values.refundLimitOrder), parse(values.refundLimitDay)];
        const platformPayWeek = parse(values.platformPayWeek);
        const body = { refundLimitOrder, refundLimitDay, platformPayWeek, reason };
        return operatorApi.setLimits({ body, idempotencyKey });
      }}
    >
      {(errors) => (
        <>
          {field('refundLimitOrder', 'Of one order', errors.refundLimitOrder)}
          {field('refundLimitDay', 'In one day', errors.refundLimitDay)}
          {field('platformPayWeek', 'Paid by the platform to one Duber in seven days', errors.platformPayWeek)}
        </>
      )}
    </ActButton>
  );
}

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

function TimeZoneButton({ timeZone }: { timeZone: string }) {
  const [chosen, setChosen] = useState(timeZone);
  return (
    <ActButton
      label="Change Time Zone"
      title="Where do days and weeks begin?"
      button="Change the Time Zone"
      done="The time zone is changed"
      onOpen={() => setChosen(timeZone)}
      run={(reason, idempotencyKey) => operatorApi.setTimeZone({ body: { timeZone: chosen, reason }, idempotencyKey })}
    >
      <NativeSelect
        label="Time zone"
        data={TIME_ZONES}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
    </ActButton>
  );
}
