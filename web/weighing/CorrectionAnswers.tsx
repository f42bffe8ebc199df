import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order } from '../../contract/orders.ts';
import type { Correction, Weighing } from '../../contract/weighing.ts';
import { api } from '../api/client.ts';
import { getSinglePressProps } from '../hooks/singlePress.ts';
import { AnotherCardButton, CardForm } from '../payments/CardForm.tsx';
import { billingContactOf } from '../payments/tokenize.ts';
import { isAboutCard, savedCardsQuery, useCardChoice } from '../payments/useCardChoice.ts';
import { useUser } from '../session/session.ts';
import { ask, type Question } from '../ui/ask.ts';
import { formatDate, formatMoney } from '../ui/format.ts';
import { loadSizeLabel } from '../ui/loadSizeLabel.ts';
import { ReasonForm } from '../ui/ReasonForm.tsx';
import { useWeighingChange } from './useWeighing.ts';
import styles from './Weighing.module.css';
import { describeNoAnswer, describeRefusal } from './weighingText.ts';

type AnswerBody = Parameters<typeof api.answerCorrection>[0]['body'];
type CorrectionProps = { order: Order; weighing: Weighing; correction: Correction };

const ANSWERED = { done: 'Thank you. Your Scrub knows', failed: 'Your answer was not sent' };
const CONTESTED = { done: 'Thank you. We look at the weight', failed: 'Your words were not sent' };

const useAnswer = (orderId: string, texts = ANSWERED) =>
  useWeighingChange(
    orderId,
    (body: AnswerBody, idempotencyKey) => api.answerCorrection({ params: { id: orderId }, body, idempotencyKey }),
    texts,
  );

const questionOf = (wanted: 'keep' | 'send-back', price: number): Question => {
  const costs = price > 0 ? ` for ${formatMoney(price)}` : '';
  return {
    title: `${wanted === 'keep' ? 'Wash only a part' : 'Send all of it back unwashed'}${costs}?`,
    text: 'You cannot change this afterwards.',
    button: wanted === 'keep' ? 'Wash a Part' : 'Send It Back',
  };
};

/** What the Bud can choose when laundry is heavier than agreed, each with what it costs in total. */
export function CorrectionAnswers({ order, weighing, correction }: CorrectionProps) {
  const [isPaying, setPaying] = useState(false);
  const answer = useAnswer(order.id);
  // Before they are needed, so that the form to pay opens with them.
  useQuery(savedCardsQuery);
  const priceOf = (wanted: AnswerBody['answer']) => correction.answers.find((one) => one.answer === wanted)?.price;
  const [pay, keep, sendBack] = [priceOf('pay'), priceOf('keep'), priceOf('send-back')];
  const { answerBy } = correction;
  const decide = async (wanted: 'keep' | 'send-back', price: number) => {
    if (await ask(questionOf(wanted, price))) answer.mutate({ answer: wanted, price });
  };
  if (isPaying && pay !== undefined)
    return <PayForm {...{ order, correction }} price={pay} onBack={() => setPaying(false)} />;
  return (
    <>
      <ul className={styles.answers}>
        {pay !== undefined && (
          <li>
            <Button size="lg" fullWidth onClick={() => setPaying(true)}>
              Wash all of it for {formatMoney(pay)}
            </Button>
          </li>
        )}
        {keep !== undefined && (
          <Decision
            button={`Wash only a part for ${formatMoney(keep)}`}
            text={`What fits ${loadSizeLabel(weighing.ceilingSize)}. The rest comes back as it is.`}
            isPending={answer.isPending}
            onPress={() => void decide('keep', keep)}
          />
        )}
        {sendBack !== undefined && (
          <Decision
            button={`Send it back for ${sendBack > 0 ? formatMoney(sendBack) : 'nothing'}`}
            text={`Nothing is washed${sendBack > 0 ? '. You only pay for the deliveries.' : ', and you pay nothing.'}`}
            isPending={answer.isPending}
            onPress={() => void decide('send-back', sendBack)}
          />
        )}
      </ul>
      {answerBy && (
        <p>
          Please answer by <time dateTime={answerBy}>{formatDate(answerBy)}</time>. Without an answer,{' '}
          {describeNoAnswer(correction, weighing.ceilingSize)}
        </p>
      )}
    </>
  );
}

type DecisionProps = { button: string; text: string; isPending: boolean; onPress: () => void };

function Decision({ button, text, isPending, onPress }: DecisionProps) {
  return (
    <li>
      <Button variant="default" size="lg" fullWidth disabled={isPending} {...getSinglePressProps(onPress)}>
        {button}
      </Button>
      <p>{text}</p>
    </li>
  );
}

/** The new total is held on a card, then the old hold is released. */
function PayForm({
  order,
  correction,
  price,
  onBack,
}: Omit<CorrectionProps, 'weighing'> & { price: number; onBack: () => void }) {
  const user = useUser();
  const answer = useAnswer(order.id);
  const choice = useCardChoice(user.id);
  return (
    <div className={styles.paying}>
      <p>
        {formatMoney(price)} is charged in total{correction.toSize && ` for ${loadSizeLabel(correction.toSize)}`}. What
        was held on your card before is released.
      </p>
      <CardForm
        choice={choice}
        total={price}
        billing={billingContactOf(user, order.budAddress.address)}
        onPay={async (source) => {
          await answer.mutateAsync({ answer: 'pay', price, ...source }).catch(() => undefined);
        }}
      >
        {answer.isError && (
          <div role="alert" className={styles.refused}>
            <p>{describeRefusal(answer.error)}</p>
            {isAboutCard(answer.error) && <AnotherCardButton choice={choice} />}
          </div>
        )}
      </CardForm>
      <Button variant="subtle" onClick={onBack}>
        Back to the choices
      </Button>
    </div>
  );
}

/** After more was charged without asking: says that the weight is wrong. */
export function ContestWeight({ order, correction }: Omit<CorrectionProps, 'weighing'>) {
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer(order.id, CONTESTED);
  if (correction.isContested) return <p>You told us that this weight is wrong. We look at it and get in touch.</p>;
  if (!correction.answers.some((one) => one.answer === 'contest')) return null;
  if (!isOpen)
    return (
      <p className={styles.contest}>
        <span>
          Is this wrong? You can tell us
          {correction.contestBy && (
            <>
              {' '}
              until <time dateTime={correction.contestBy}>{formatDate(correction.contestBy)}</time>
            </>
          )}
          .
        </span>
        <Button variant="subtle" onClick={() => setOpen(true)}>
          The weight is wrong
        </Button>
      </p>
    );
  return (
    <ReasonForm
      legend=""
      reasons={[]}
      wordsLabel="What is wrong with the weight?"
      button="Send to the Town"
      isDestructive={false}
      isPending={answer.isPending}
      onSubmit={({ words }) => answer.mutate({ answer: 'contest', ...(words === undefined ? {} : { words }) })}
    >
      <p className="quiet">
        We look at the photo of the scale and at what a Duber weighed, and give back what is too much.
      </p>
    </ReasonForm>
  );
}
