import { Button } from '@mantine/core';
import { DescriptionItem, DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatMoney } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { ActFormButton } from '../ActFormButton.tsx';
import { signOutEverywhere, useHasRight, useIsDemo, useOperator } from '../operatorSession.ts';
import { PERMISSION_TEXTS } from '../permissionTexts.ts';
import sections from '../sections.module.css';
import { useTown } from '../townQuery.ts';
import { useTownTime } from '../useTownDay.ts';
import { IdentityCard } from './IdentityCard.tsx';
import { OperatorList } from './OperatorList.tsx';
import { PasskeyList } from './PasskeyList.tsx';
import { SetUpCard } from './SetUpCard.tsx';

/** How strict the town is, where its day begins, and who runs it. */
export function SettingsPage() {
  const isAdmin = useHasRight('admin');
  const { fullname, email, caps } = useOperator();
  const isDemo = useIsDemo();
  return (
    <>
      <PageHeader title="Operators & settings" />
      <div className={sections.sections}>
        <IdentityCard />
        <TownSettings isAdmin={isAdmin} />
        {isAdmin && <SetUpCard />}
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
          <div className="buttons">
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
  const townTime = useTownTime();
  if (!town) return null;
  const { pause, closed, refundLimitOrder, refundLimitDay, platformPayWeek, timeZone, runsAlone } = town;
  return (
    <section className={sections.card}>
      <SectionHeader title="Limits and time zone" />
      <DescriptionList>
        <DescriptionItem name="Orders">
          {closed ? `${pause ? 'Paused' : 'Closed'} until ${townTime(closed.until)}: “${closed.words}”` : 'Open'}
        </DescriptionItem>
        <DescriptionItem name="One operator alone gives back">
          {!runsAlone && `${formatMoney(refundLimitOrder)} an order, `}
          {formatMoney(refundLimitDay)} a day
        </DescriptionItem>
        <DescriptionItem name="The platform pays one Duber">
          {formatMoney(platformPayWeek)} in seven days for trips that no order pays. More waits in Cases
        </DescriptionItem>
        <DescriptionItem name="Days and weeks begin in">{timeZone}</DescriptionItem>
      </DescriptionList>
      {isAdmin && (
        <div className="buttons">
          <ActFormButton
            act="setLimits"
            start={{
              refundLimitOrder: String(refundLimitOrder),
              refundLimitDay: String(refundLimitDay),
              platformPayWeek: String(platformPayWeek),
            }}
          />
          <ActFormButton act="setTimeZone" start={{ timeZone }} />
        </div>
      )}
    </section>
  );
}
