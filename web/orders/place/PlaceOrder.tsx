import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PriceQuote } from '../../../contract/orders.ts';
import type { Address } from '../../../contract/places.ts';
import type { OrderSize } from '../../../domain/orders.ts';
import { useConfig } from '../../api/config.ts';
import { useHasCards, useIsCompact } from '../../hooks/breakpoints.ts';
import { useOffline } from '../../hooks/useOffline.ts';
import { savedCardsQuery } from '../../payments/useCardChoice.ts';
import { hasWebGL } from '../../places/webgl.ts';
import { useUser } from '../../session/session.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { limitOf, sizesSold } from '../../weighing/sizeLimit.ts';
import { PauseNotice } from '../PauseNotice.tsx';
import { DetailsStep } from './DetailsStep.tsx';
import { LocationStep } from './LocationStep.tsx';
import { SummaryAside, SummaryDrawer } from './OrderSummary.tsx';
import {
  type ChangeDraft,
  isStepComplete,
  type OrderDraft,
  preselectAddress,
  removeUnavailable,
  STEP_NAMES,
  type StepNumber,
} from './orderDraft.ts';
import { priceQuery } from './orderPrice.ts';
import styles from './PlaceOrder.module.css';
import { useAppliedPromo } from './promo.ts';
import map from './ScrubMapCard.module.css';
import { ScrubStep } from './ScrubStep.tsx';
import { keepOffered } from './times.ts';
import { useFailureToast } from './useFailureToast.ts';
import { chooseScrub, useNearbyScrubs } from './useNearbyScrubs.ts';
import { readLastAddress, useOrderDraft, useWizardStep } from './useOrderDraft.ts';
import { useWindows } from './WhenChoice.tsx';

const loadCheckout = async () => (await import('./CheckoutStep.tsx')).CheckoutStep;
const CheckoutStep = lazyPart('The checkout', loadCheckout);

/** Loads the last step while the one before it is filled in, and the saved cards at once. A failure shows when it opens. */
function usePreloadedCheckout(step: StepNumber) {
  useQuery(savedCardsQuery);
  useEffect(() => {
    if (step === 3) loadCheckout().catch(() => undefined);
  }, [step]);
}

/** The draft, the step that shows it, and what it costs. */
function useOrderWizard() {
  const { id, addresses } = useUser();
  const kept = useOrderDraft(id);
  const config = useConfig();
  const sold = sizesSold(config);
  const addressIds = addresses.map((address) => address.id);
  const available = removeUnavailable(kept.draft, { addressIds, sizes: config && sold });
  const found = preselectAddress(available, addressIds, readLastAddress(id));
  const offers = useWindows(found.times === undefined ? undefined : found.addressId);
  const draft = { ...found, times: keepOffered(found.times, offers.data) };
  const limit = config?.weighsLaundry ? limitOf(draft, sold) : undefined;
  const asked = usePrice(draft, limit);
  const promo = useAppliedPromo(draft, limit);
  const address = addresses.find((one) => one.id === draft.addressId);
  const wizard = useWizardStep(draft);
  const summed = {
    draft,
    address,
    limit,
    promo,
    step: wizard.step,
    onEdit: wizard.goTo,
    price: draft.loadSize && asked.data,
    from: draft.loadSize ? undefined : asked.data?.totalPrice,
    // Until it is known whether laundry is weighed, the price may be of another hold.
    isStale: asked.isPlaceholderData || config === undefined,
    onRetry: asked.isError ? () => void asked.refetch() : undefined,
  };
  return { ...kept, ...wizard, draft, address, summed, quote: asked.data };
}

/** spec 2.7 and 4.4: four steps from an address to a paid order. */
export function PlaceOrder() {
  const { draft, change, forget, address, summed, quote, step, goNext, goTo } = useOrderWizard();
  const isCompact = useIsCompact();
  usePreloadedCheckout(step);
  const exactPrice = summed.isStale ? undefined : summed.price;
  return (
    <>
      <PageHeader title="Place Order" subtitle="Four short steps. You only pay if your Scrub accepts." />
      <PauseNotice />
      <Stepper steps={STEP_NAMES} current={step} onBack={(done) => goTo(done as StepNumber)} />
      <div className={styles.page}>
        {isCompact && <SummaryDrawer {...summed} />}
        <section className={styles.main} aria-labelledby="step-title">
          <StepTitle step={step} />
          {step < 4 && <StepContent {...{ step, draft, quote, change }} />}
          {step === 4 && (
            <CheckoutStep
              {...{ draft, address, change, limit: summed.limit, promo: summed.promo }}
              price={exactPrice}
              onPlaced={forget}
              onOtherScrub={() => goTo(2)}
              onOtherTime={() => change((before) => ({ ...before, times: undefined }))}
            />
          )}
        </section>
        <StepButtons step={step} isAnswered={isStepComplete(draft, step)} onNext={goNext} onBack={goTo} />
        {!isCompact && (
          <div className={styles.side}>
            <div className={styles.stays}>
              {step === 2 && address && <ScrubMapCard draft={draft} change={change} address={address} />}
              <SummaryAside {...summed} />
            </div>
          </div>
        )}
      </div>
    </>
  );
}

type StepContentProps = {
  step: StepNumber;
  draft: OrderDraft;
  quote: PriceQuote | undefined;
  change: ChangeDraft;
};

/** One of the first three steps. */
function StepContent({ step, draft, quote, change }: StepContentProps) {
  if (step === 2 && draft.addressId !== undefined)
    return <ScrubStep draft={draft} change={change} addressId={draft.addressId} />;
  if (step === 3) return <DetailsStep draft={draft} quote={quote} change={change} />;
  return <LocationStep draft={draft} change={change} />;
}

/** The price of the draft, of the smallest load until one is chosen; while it reloads, the last one is the placeholder. */
function usePrice(draft: OrderDraft, limit: OrderSize | undefined) {
  const asked = useQuery(priceQuery(draft.loadSize ?? 'Small', draft, limit));
  useFailureToast(asked.error, 'Failed To Fetch Order Price');
  return asked;
}

/** The step's name. It gets the focus after each move, so that screen readers announce it. */
function StepTitle({ step }: { step: StepNumber }) {
  const title = useRef<HTMLHeadingElement>(null);
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    title.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [step]);
  return (
    <h2 ref={title} id="step-title" tabIndex={-1} className={styles.title}>
      {STEP_NAMES[step - 1]}
    </h2>
  );
}

function StepButtons({
  step,
  isAnswered: isOpen,
  onNext,
  onBack,
}: {
  step: StepNumber;
  isAnswered: boolean;
  onNext: () => void;
  onBack: (step: StepNumber) => void;
}) {
  return (
    <div
      className={step < 4 ? `${styles.foot} ${styles.stuck}` : styles.foot}
      data-bottom-bar={step < 4 ? true : undefined}
    >
      {step > 1 && (
        <Button variant="default" onClick={() => onBack((step - 1) as StepNumber)}>
          Back
        </Button>
      )}
      {step < 4 && (
        <Button className={styles.next ?? ''} disabled={!isOpen} onClick={onNext}>
          {step === 3 ? 'Place Order' : 'Next'}
        </Button>
      )}
    </div>
  );
}

const ScrubMap = lazyPart('The map', async () => (await import('./ScrubMap.tsx')).ScrubMap);

type ScrubMapCardProps = { draft: OrderDraft; change: ChangeDraft; address: Address };

/** Where the found Scrubs are, beside the list of them, where there is room for both and a map can be drawn. */
function ScrubMapCard(props: ScrubMapCardProps) {
  const isNarrow = useHasCards();
  const isOffline = useOffline();
  if (isNarrow || isOffline || !hasWebGL()) return null;
  return <FoundScrubs {...props} />;
}

function FoundScrubs({ draft, change, address }: ScrubMapCardProps) {
  const { data: found } = useNearbyScrubs(address.id, draft.times);
  if (!found || found.length === 0) return null;
  return (
    <section className={map.card} aria-label="Scrubs on the map">
      <ScrubMap
        // Other Scrubs are another map: it starts where all of them are in view.
        key={found.map(({ scrub }) => scrub.id).join()}
        home={address}
        found={found}
        chosenId={draft.scrub?.id}
        onChoose={(near) => change(chooseScrub(near))}
      />
    </section>
  );
}
