import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReviewCard } from './ReviewCard.tsx';

const render = (status: string) =>
  renderToStaticMarkup(
    <ReviewCard authorRole="Bud" targetRole="Duber" subject={{ id: 'd', status, reviews: [] }} targetId={null} />,
  );

test('a delivery that was called off without a Duber has no review, and no place for one', () => {
  expect(render('Called_Off')).toBe('');
  expect(render('Pending')).toContain('Not review yet');
});
