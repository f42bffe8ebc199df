import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useState } from 'react';
import { fetchConfig } from '../api/config.ts';
import { createPayments } from './loadSquare.ts';
import type { Card, CardOptions, CardStyle, Payments } from './squareTypes.ts';

type CardState =
  | { readonly state: 'loading' | 'failed' }
  | { readonly state: 'ready'; readonly payments: Payments; readonly card: Card };

// The SDK renders in its own frame, which the page's styles do not reach: pass it the design tokens' values.
function readCardStyle(): CardStyle {
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  return {
    input: { backgroundColor: token('--card'), color: token('--ink'), fontSize: '16px' },
    'input::placeholder': { color: token('--ink-quiet') },
    'input.is-error': { color: token('--danger') },
    '.input-container': { borderColor: token('--line-strong'), borderRadius: '10px' },
    '.input-container.is-focus': { borderColor: token('--link') },
    '.input-container.is-error': { borderColor: token('--danger') },
    '.message-text': { color: token('--ink-quiet') },
    '.message-icon': { color: token('--ink-quiet') },
    '.message-text.is-error': { color: token('--danger') },
    '.message-icon.is-error': { color: token('--danger') },
  };
}

const cardOptions = (): CardOptions => ({ style: readCardStyle() });

async function attachCard(place: HTMLElement): Promise<{ payments: Payments; card: Card }> {
  const { square } = await fetchConfig();
  const payments = await createPayments(square);
  const card = await payments.card(cardOptions());
  await card.attach(place);
  return { payments, card };
}

/**
 * The card network's form inside `host`; `retry` loads it again after a failure. Nothing is loaded from the card network before
 * the form `isWanted`, and afterwards the form keeps what is typed.
 */
export function useCard(
  host: RefObject<HTMLElement | null>,
  isWanted: boolean,
): CardState & { readonly retry: () => void } {
  const [open, setOpen] = useState<CardState>({ state: 'loading' });
  const [tries, setTries] = useState(0);
  const [wasWanted, setWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWanted(true);
  const scheme = useComputedColorScheme('light');

  useEffect(() => {
    if (!wasWanted) return;
    // Each run uses its own element, so that a superseded one leaves nothing behind.
    const place = document.createElement('div');
    host.current?.append(place);
    let isGone = false;
    let made: Card | undefined;
    setOpen({ state: 'loading' });
    attachCard(place).then(
      ({ payments, card }) => {
        made = card;
        if (isGone) void card.destroy();
        else setOpen({ state: 'ready', payments, card });
      },
      (error: unknown) => {
        console.warn('The card form did not open', error);
        if (!isGone) setOpen({ state: 'failed' });
      },
    );
    return () => {
      isGone = true;
      void made?.destroy();
      place.remove();
    };
  }, [tries, wasWanted]);

  useEffect(() => {
    if (open.state === 'ready') open.card.configure(cardOptions()).catch((error: unknown) => console.warn(error));
  }, [scheme, open]);

  return { ...open, retry: () => setTries((before) => before + 1) };
}
